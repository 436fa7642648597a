import { h } from 'preact';
import { access, mockUrl } from './access.ts';
import { contract } from './contract.ts';
import { iconButton } from './controls.ts';
import { Finder } from './finder.ts';
import { type IconName, icon } from './labels.ts';
import { copyText } from './messages.ts';
import { consoleUrl } from './place.ts';
import { isActive } from './rule.ts';
import { sessionState } from './session-state.ts';
import { useValue } from './value.ts';

/** The page for rules, latency and clock. */
const SCENARIOS = 'scenarios';

/** A strip on every page of the mock, with its address and what changes its responses; each part links to its settings. */
export function Strip() {
  const served = useValue(contract);
  const latency = useValue(sessionState.latency)?.latency;
  const clock = useValue(sessionState.clock);
  const active = useValue(sessionState.rules)?.filter(isActive).length ?? 0;
  if (!served) return h('div', { class: 'strip' });
  const url = mockUrl(served.basePath);
  const { session } = access();
  return h('div', { class: 'strip', role: 'region', 'aria-label': 'Session' }, [
    h('span', { class: 'strip-url mono' }, url),
    iconButton('copy', 'Copy the base URL', () => copyText(url, 'The base URL'), { class: 'small' }),
    h('span', { class: 'strip-facts' }, [
      fact('sessions', 'sessions', session === '' ? 'default session' : `session ${session}`, session !== ''),
      clock && fact('clock', SCENARIOS, clock.given ? shownTime(clock.now) : 'real time', clock.given),
      latency !== undefined && fact('latency', SCENARIOS, latencyText(latency), latency !== 0),
      h(Finder, {}),
      active > 0 &&
        h('a', { class: 'chip signal', href: consoleUrl(SCENARIOS) }, [
          active === 1 ? '1 rule active' : `${active} rules active`,
        ]),
    ]),
  ]);
}

/** `isSet`: it differs from the default. */
function fact(name: IconName, page: string, text: string, isSet: boolean) {
  return h('a', { class: isSet ? 'strip-fact set' : 'strip-fact', href: consoleUrl(page) }, [
    icon(name),
    text,
  ]);
}

function latencyText(latency: number | string): string {
  return latency === 0 ? 'no latency' : `${latency} ms`;
}

function shownTime(now: string): string {
  return `${now.slice(0, 16).replace('T', ' ')} UTC`;
}
