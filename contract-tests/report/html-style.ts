/** The page's look: one column, the system's own fonts, light or dark as the reader's system is. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8885; --good: #1a7f37; --bad: #c62828; --open: #9a6700; --soft: #8881; }
@media (prefers-color-scheme: dark) { :root { --good: #57ab5a; --bad: #f47067; --open: #d4a72c; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1.holds { color: var(--good); } h1.broken { color: var(--bad); } h1.incomplete, h1.no-verdict { color: var(--open); }
h3 { margin-bottom: 0; overflow-wrap: anywhere; } h3 a { color: inherit; }
dl > div { display: flex; gap: 1rem; } dt { flex: 0 0 7rem; opacity: .75; } dd { margin: 0; flex: 1; min-width: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
td.covered { color: var(--good); } td.violated { color: var(--bad); font-weight: bold; } td.not-reached { color: var(--open); } td.none { background: var(--soft); border-color: var(--line); }
td small { display: block; color: CanvasText; font-weight: normal; }
.wide, pre { overflow-x: auto; } pre { margin: .2rem 0; } pre { background: var(--soft); padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; }
article { border-left: .25rem solid var(--bad); padding-left: 1rem; margin: 1.5rem 0; }
.number { display: inline-block; min-width: 2.5rem; opacity: .6; } mark { background: #f4d03f66; color: inherit; }
summary { cursor: pointer; } :focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
`;
