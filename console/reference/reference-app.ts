import { Fragment, h } from 'preact';
import { FURTHER, PAGES } from '../pages.ts';
import { ConnectionBanner } from '../shell/connection-banner.ts';
import { Header } from '../shell/header.ts';
import { NoticeArea } from '../shell/notice.ts';
import { isTokenWanted } from '../shell/token.ts';
import { TokenForm } from '../shell/token-form.ts';
import { useValue } from '../shell/value.ts';
import { ChangeBanner } from './change-banner.ts';
import { Reference } from './reference.ts';

/** The page of the API reference, within the frame of the console. */
export function ReferenceApp() {
  const isLocked = useValue(isTokenWanted);
  return h(
    Fragment,
    {},
    h(Header, { pages: PAGES, further: FURTHER, current: 'reference' }),
    h(ConnectionBanner, {}),
    h(ChangeBanner, {}),
    isLocked ? h('main', {}, h(TokenForm, {})) : h(Reference, {}),
    h(NoticeArea, {}),
  );
}
