import { expect, test } from 'vitest';
import { gives, list, number, object, ref, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = number) => ({
  parameters: [{ name, in: 'path', required: true, schema }],
});
const query = (name: string, schema: object = text, more: object = {}) => ({
  ...{ name, in: 'query', schema },
  ...more,
});
const serve = (paths: object, schemas: object) =>
  serveText(documentOf(paths, { components: { schemas } }), { count: 6 });

test('an action takes what it sets from the member for the record, a POST that shows it from its body, and notes the day', async () => {
  const status = { type: 'string', enum: ['pending', 'confirmed'] };
  const Order = object({
    ...{ id: number, status, note: text },
    acknowledgment_date: { type: 'string', format: 'date', nullable: true },
  });
  const mock = await serve(
    {
      '/orders': { get: gives(list(ref('Order'))) },
      '/orders/{id}': { ...at('id'), get: gives(ref('Order')) },
      '/orders/{id}/status': {
        ...at('id'),
        patch: { ...takes(object({ order: object({ status }) })), ...gives(ref('Order')) },
      },
      '/orders/{id}/remark': {
        ...at('id'),
        post: { ...takes(object({ note: text })), ...gives(ref('Order'), 201) },
      },
      '/orders/{id}/acknowledge': { ...at('id'), post: gives(ref('Order')) },
    },
    { Order },
  );
  for (const state of ['confirmed', 'pending'])
    expect((await ask(mock, 'PATCH /orders/1/status', { order: { status: state } })).body.status).toBe(state);
  await ask(mock, 'POST /orders/1/remark', { note: 'Ring twice' });
  await ask(mock, 'POST /orders/1/acknowledge');
  const { body } = await ask(mock, 'GET /orders/1');
  expect(body).toMatchObject({ note: 'Ring twice', acknowledgment_date: expect.stringMatching(/^20\d\d-/) });
});

test('behind another word a record is shown as it is, also at a mirror; what a member names there is another one', async () => {
  const Vendor = object({ id: number, name: text, manager_id: number });
  const shown = { ...at('id'), get: gives(ref('Vendor')) };
  const mock = await serve(
    {
      '/admin/vendors': {
        get: gives(list(ref('Vendor'))),
        post: { ...takes(object({ name: text })), ...gives(ref('Vendor'), 201) },
      },
      '/admin/vendors/{id}': shown,
      '/admin/vendors/{id}/performance': shown,
      '/shop/vendors/{id}/summary': shown,
      '/admin/vendors/{id}/manager': shown,
    },
    { Vendor },
  );
  const { body: made } = await ask(mock, 'POST /admin/vendors', { name: 'Acme' });
  for (const path of [`/admin/vendors/${made.id}/performance`, `/shop/vendors/${made.id}/summary`])
    expect((await ask(mock, `GET ${path}`)).body).toEqual(made);
  expect((await ask(mock, 'GET /shop/vendors/999/summary')).status).toBe(404);
  expect((await ask(mock, `GET /admin/vendors/${made.id}/manager`)).body.name).not.toBe('Acme');
});

test('a play lists the performances that show it', async () => {
  const Performance = object({ id: number, play: object({ id: number, title: text }, ['id']) }, [
    'id',
    'play',
  ]);
  const mock = await serve(
    {
      '/plays': { get: gives(list(ref('Play'))) },
      '/plays/{id}': { ...at('id'), get: gives(ref('Play')) },
      '/performances': { get: gives(list(ref('Performance'))) },
      '/performances/{id}': { ...at('id'), get: gives(ref('Performance')) },
    },
    { Play: object({ id: number, title: text, performances: list(ref('Performance')) }), Performance },
  );
  const { body: plays } = await ask(mock, 'GET /plays');
  const { body: all } = await ask(mock, 'GET /performances');
  const listed = plays.flatMap((play: { id: number; performances: { id: number; play: { id: number } }[] }) =>
    play.performances.map((one) => [one.id, one.play.id, play.id]),
  );
  expect(listed).toHaveLength(all.length);
  for (const [, own, above] of listed) expect(own).toBe(above);
});

test('a schema that requires nothing has all; a new record has its id beside a name, a state of those in words; a PUT keeps what it cannot say', async () => {
  const Guest = object({
    ...{ id: text, username: text, city: text, created_at: { type: 'string', format: 'date-time' } },
    status: { type: 'string', description: 'invited, pending, gone' },
  });
  const mock = await serve(
    {
      '/guests': {
        get: gives(list(ref('Guest'))),
        post: { ...takes(object({ username: text, city: text })), ...gives(ref('Guest'), 201) },
      },
      '/guests/{username}': {
        ...at('username', text),
        get: gives(ref('Guest')),
        put: { ...takes(object({ city: text }, ['city'])), ...gives(ref('Guest')) },
      },
    },
    { Guest },
  );
  const names = ['id', 'username', 'city', 'created_at', 'status'];
  const { body: all } = await ask(mock, 'GET /guests');
  for (const one of all) {
    expect(Object.keys(one).toSorted()).toEqual(names.toSorted());
    expect(['invited', 'pending', 'gone']).toContain(one.status);
  }
  const { body: made } = await ask(mock, 'POST /guests', { username: 'ann', city: 'Bonn' });
  expect(made).toMatchObject({ id: expect.any(String), username: 'ann', status: 'pending' });
  const { body } = await ask(mock, 'PUT /guests/ann', { city: 'Ulm' });
  expect(body).toEqual({ ...made, city: 'Ulm' });
});

test('a title is found by a part of it, a code is not; a page says from where to where; a reply has the name of what it is to', async () => {
  const Form = object({ id: number, formName: text, code: text });
  const Reply = object({ id: number, formId: number, formName: text });
  const page = object({
    ...{ data: list(ref('Form')), from: number, to: number, total: number },
    current_page: number,
  });
  const mock = await serve(
    {
      '/forms': {
        get: {
          parameters: [
            query('formName', text, { description: 'Search by name' }),
            query('code'),
            ...['page', 'per_page'].map((name) => query(name, number)),
          ],
          ...gives(page),
        },
        post: { ...takes(object({ formName: text, code: text })), ...gives(ref('Form'), 201) },
      },
      '/forms/{id}': { ...at('id'), get: gives(ref('Form')) },
      '/replies': {
        get: gives(list(ref('Reply'))),
        post: { ...takes(object({ formId: number })), ...gives(ref('Reply'), 201) },
      },
    },
    { Form, Reply },
  );
  const { body: made } = await ask(mock, 'POST /forms', { formName: 'Taxes of Ulm', code: 'T-77-x' });
  expect((await ask(mock, 'GET /forms?formName=of+ulm')).body.data).toEqual([made]);
  expect((await ask(mock, 'GET /forms?code=T-77')).body.data).toEqual([]);
  expect((await ask(mock, 'GET /forms?per_page=2&page=2')).body).toMatchObject({ from: 3, to: 4, total: 7 });
  expect((await ask(mock, 'POST /replies', { formId: made.id })).body.formName).toBe('Taxes of Ulm');
});

test('a read with a schema of its own shows what that names', async () => {
  const book = { id: number, title: text };
  const mock = await serve(
    {
      '/admin/books': {
        get: gives(list(ref('Book'))),
        post: { ...takes(object({ title: text, text })), ...gives(ref('Book'), 201) },
      },
      '/admin/books/{id}': { ...at('id'), get: gives(ref('Book')) },
      '/books/{id}': { ...at('id'), get: gives(object(book, ['id', 'title'])) },
    },
    { Book: object({ ...book, text }) },
  );
  const { body: made } = await ask(mock, 'POST /admin/books', { title: 'Dune', text: 'A beginning' });
  expect((await ask(mock, `GET /books/${made.id}`)).body).toEqual({ id: made.id, title: 'Dune' });
});

test('what is bought at the path of a book shows that book, and who has bought it as their profile does', async () => {
  const book = object({ id: number, title: text }, ['id', 'title']);
  const uuid = { type: 'string', format: 'uuid' };
  const User = object({ id: uuid, username: text }, ['id', 'username']);
  const Order = {
    ...object({ id: number, book_id: number, book, customer: ref('User'), customer_id: uuid, note: text }, [
      ...['id', 'book_id', 'book', 'customer', 'customer_id'],
    ]),
    'x-paddock': { members: { customer_id: { holds: 'maker' } } },
  };
  const secret = object({ username: text, password: text }, ['username', 'password']);
  const mock = await serveText(
    documentOf(
      {
        '/register': { post: { ...takes(secret), ...gives(object({ token: text })) } },
        '/me': { get: { security: [{ key: [] }], ...gives(ref('User')) } },
        '/books': { get: gives(list(book)) },
        '/books/{id}': { ...at('id'), get: gives(book) },
        '/books/{book_id}/purchase': {
          ...at('book_id'),
          post: { security: [{ key: [] }], ...takes(object({ note: text })), ...gives(ref('Order')) },
        },
        '/orders': { get: gives(list(ref('Order'))) },
      },
      {
        components: {
          schemas: { User, Order },
          securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
        },
      },
    ),
    { count: 6 },
  );
  const { body: access } = await ask(mock, 'POST /register', { username: 'ann', password: 'Secret-7' });
  const headers = { authorization: `Bearer ${access.token}` };
  const { body: bought } = await ask(mock, 'GET /books/3');
  const { body: order } = await ask(mock, 'POST /books/3/purchase', { note: 'A gift' }, headers);
  expect(order).toMatchObject({ book_id: 3, book: bought, customer: { username: 'ann' } });
  const { body: me } = await ask(mock, 'GET /me', undefined, headers);
  expect(order).toMatchObject({ customer: me, customer_id: me.id });
});

test('a brand is asked for without the word for its id, pages and directions without a schema; what only a list has is its default', async () => {
  const day = { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] };
  const Item = object({ id: number, brand_id: number, day });
  const shown = object(
    { id: number, brand_id: number, day: text, label: text, uses: { ...number, default: 0 } },
    [...['id', 'brand_id', 'day']],
  );
  const names = ['limit', 'page', 'date_begin', 'date_end', 'sort', 'order'];
  const mock = await serve(
    {
      '/items': {
        get: {
          parameters: [
            query('brand', list(number)),
            ...names.map((name) => query(name, name === 'limit' || name === 'page' ? {} : text)),
          ],
          ...gives(list(shown)),
        },
        post: { ...takes(object({ brand_id: number, day: text })), ...gives(ref('Item'), 201) },
      },
      '/items/{id}': { ...at('id'), get: gives(ref('Item')) },
    },
    { Item },
  );
  for (const day of ['2031-01-01', '2031-02-01', '2031-03-01'])
    await ask(mock, 'POST /items', { brand_id: 977, day });
  const ours = async (rest: string) =>
    (await ask(mock, `GET /items?brand=977${rest}`)).body.map((one: { day: string }) => one.day.slice(5, 7));
  expect(await ours('')).toEqual(['01', '02', '03']);
  expect(await ours('&limit=2&page=2')).toEqual(['03']);
  expect(await ours('&date_begin=2031-01-15&date_end=2031-02-15')).toEqual(['02']);
  expect(await ours('&sort=day&order=desc')).toEqual(['03', '02', '01']);
  expect((await ask(mock, 'GET /items?brand=977')).body[0]).toMatchObject({ brand_id: 977, uses: 0 });
});

test('seeded records show users who exist, and a path lists what a user has written, not sent', async () => {
  const by = object({ id: number, name: text }, ['id', 'name']);
  const Post = object({ id: number, title: text, author: by }, ['id', 'title', 'author']);
  const Message = object({ id: number, text, sender: by }, ['id', 'text', 'sender']);
  const User = object({ id: number, name: text, email: text }, ['id', 'name', 'email']);
  const mock = await serve(
    {
      '/users': { get: gives(list(ref('User'))) },
      '/users/{id}': { ...at('id'), get: gives(ref('User')) },
      '/users/{id}/posts': { ...at('id'), get: gives(list(ref('Post'))) },
      '/users/{id}/messages': { ...at('id'), get: gives(list(ref('Message'))) },
      '/posts': { get: gives(list(ref('Post'))) },
      '/posts/{id}': { ...at('id'), get: gives(ref('Post')) },
      '/messages': { get: gives(list(ref('Message'))) },
      '/messages/{id}': { ...at('id'), get: gives(ref('Message')) },
    },
    { User, Post, Message },
  );
  const { body: posts } = await ask(mock, 'GET /posts');
  for (const { author } of posts)
    expect((await ask(mock, `GET /users/${author.id}`)).body).toMatchObject(author);
  const { id } = posts[0].author;
  const { body: written } = await ask(mock, `GET /users/${id}/posts`);
  expect(written).toEqual(
    posts.filter((post: typeof Post & { author: { id: number } }) => post.author.id === id),
  );
  expect((await ask(mock, `GET /users/${id}/messages`)).body).toHaveLength(6);
});

test('a path finds what shows a user by the name that it says', async () => {
  const by = object({ id: number, username: text }, ['id', 'username']);
  const Post = object({ id: number, title: text, author: by }, ['id', 'title', 'author']);
  const User = object({ id: number, username: text, bio: text }, ['id', 'username']);
  const mock = await serve(
    {
      '/users/{username}': { ...at('username', text), get: gives(ref('User')) },
      '/users/{username}/posts': { ...at('username', text), get: gives(list(ref('Post'))) },
      '/posts': { get: gives(list(ref('Post'))) },
      '/posts/{id}': { ...at('id'), get: gives(ref('Post')) },
    },
    { User, Post },
  );
  const [{ author, id }] = (await ask(mock, 'GET /posts')).body;
  expect((await ask(mock, `GET /users/${author.username}`)).body).toMatchObject(author);
  const { body } = await ask(mock, `GET /users/${author.username}/posts`);
  expect(body.map((post: { author: object }) => post.author)).toEqual(body.map(() => author));
  expect(body).toContainEqual(expect.objectContaining({ id }));
});

test('what an action says of its record is as the record has it, unless it shows something else', async () => {
  const status = { type: 'string', enum: ['open', 'paid'] };
  const Order = object({ id: number, status, total: number, city: text, street: text, day: text });
  const told = (more: object) => object({ order_id: number, message: text, ...more }, ['order_id']);
  const mock = await serve(
    {
      '/orders': { get: gives(list(ref('Order'))) },
      '/orders/{id}': { ...at('id'), get: gives(ref('Order')) },
      '/orders/{id}/pay': { ...at('id'), post: gives(told({ status })) },
      '/orders/{id}/remind': { ...at('id'), post: gives(told({ id: text, total: number, agent: text })) },
    },
    { Order },
  );
  const { body: paid } = await ask(mock, 'POST /orders/3/pay');
  expect(paid).toMatchObject({ order_id: 3, status: 'paid' });
  const { total } = (await ask(mock, 'GET /orders/3')).body;
  const { body: other } = await ask(mock, 'POST /orders/3/remind');
  expect(other.order_id).toBe(3);
  expect(other.total).not.toBe(total);
});

test('what is made with an e-mail address and a password logs in, and its maker is whom a record names beside what is sent', async () => {
  const Doctor = object({ userId: number, email: text, isActive: { type: 'boolean' } }, ['userId', 'email']);
  const Visit = object({ visitId: number, seen_doctor_id: number, note: text }, ['visitId', 'note']);
  const signIn = object({ email: text, password: text }, ['email', 'password']);
  const security = [{ token: [] }];
  const mock = await serveText(
    documentOf(
      {
        '/doctors': {
          get: gives(list(ref('Doctor'))),
          post: { security, ...takes(signIn), ...gives(ref('Doctor'), 201) },
        },
        '/patients': {
          get: gives(list(ref('Doctor'))),
          post: { ...takes(signIn), ...gives(ref('Doctor'), 201) },
        },
        '/patients/{userId}': { ...at('userId'), get: gives(ref('Doctor')) },
        '/doctors/{userId}': { ...at('userId'), get: gives(ref('Doctor')) },
        '/visits': {
          get: gives(list(ref('Visit'))),
          post: { security, ...takes(object({ note: text })), ...gives(ref('Visit'), 201) },
        },
        '/auth/login': { post: { ...takes(signIn), ...gives(object({ accessToken: text })) } },
      },
      {
        components: {
          schemas: { Doctor, Visit },
          securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
        },
      },
    ),
  );
  const ann = { email: 'ann@example.com', password: 'secret-123' };
  expect((await ask(mock, 'POST /doctors', ann, { authorization: 'Bearer none' })).status).toBe(401);
  const { body: doctor } = await ask(mock, 'POST /doctors', ann);
  expect(doctor).toMatchObject({ email: ann.email });
  expect(doctor.isActive).not.toBe(true);
  expect((await ask(mock, 'GET /patients')).text).not.toContain(ann.email);
  const { body: login } = await ask(mock, 'POST /auth/login', ann);
  const headers = { authorization: `Bearer ${login.accessToken}` };
  const { body: visit } = await ask(mock, 'POST /visits', { note: 'Flu' }, headers);
  expect(visit.seen_doctor_id).toBe(doctor.userId);
});

test('a time of day without an offset is completed, and another text is refused', async () => {
  const Slot = object({ id: number, start: { type: 'string', format: 'time' } });
  const mock = await serve(
    {
      '/slots': {
        get: gives(list(ref('Slot'))),
        post: { ...takes(object({ start: text })), ...gives(ref('Slot'), 201) },
      },
      '/slots/{id}': { ...at('id'), get: gives(ref('Slot')) },
    },
    { Slot },
  );
  for (const start of ['10:00', '10:00:00'])
    expect((await ask(mock, 'POST /slots', { start })).body.start).toBe('10:00:00Z');
  expect((await ask(mock, 'POST /slots', { start: 'noon' })).status).toBe(400);
});

test('a record that a request sends whole within another one is shown as it is now', async () => {
  const Product = object({ id: number, name: text });
  const Stock = object({ id: number, product: ref('Product'), amount: number });
  const collection = (path: string, name: string) => ({
    [path]: { get: gives(list(ref(name))), post: { ...takes(ref(name)), ...gives(ref(name), 201) } },
    [`${path}/{id}`]: {
      ...at('id'),
      get: gives(ref(name)),
      put: { ...takes(ref(name)), ...gives(ref(name)) },
    },
  });
  const mock = await serve(
    { ...collection('/products', 'Product'), ...collection('/stock', 'Stock') },
    { Product, Stock },
  );
  const { body: product } = await ask(mock, 'POST /products', { name: 'Milk' });
  const { body: stock } = await ask(mock, 'POST /stock', { product, amount: 3 });
  await ask(mock, `PUT /products/${product.id}`, { name: 'Oat milk' });
  expect((await ask(mock, `GET /stock/${stock.id}`)).body.product).toEqual({ ...product, name: 'Oat milk' });
});
