import { useEffect, useState } from 'react';

/** The orders of a service, each with its note where it has one. */
export function OrderList({ fetchOrders }) {
  const [shown, setShown] = useState();
  useEffect(() => {
    fetchOrders().then(setShown);
  }, [fetchOrders]);
  if (!shown) return <p>Loading</p>;
  if (shown.status !== 200) return <p role="alert">{shown.body.title}</p>;
  return (
    <ul>
      {shown.body.map(({ id, status, note }) => (
        <li key={id}>
          {status}
          {note && <em>{note}</em>}
        </li>
      ))}
    </ul>
  );
}
