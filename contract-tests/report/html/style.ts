/** The page's style, in the colours of the palette; narrow windows stack columns. */
export const STYLE = `
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
header, main, footer { max-width: 1280px; margin: 0 auto; padding: 0 24px; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
h1 { font-size: 22px; line-height: 1.35; font-weight: 650; letter-spacing: -.01em; max-width: 64rem; text-wrap: pretty; }
h2 { font-size: 16px; font-weight: 650; margin: 40px 0 12px; }
#findings { margin-top: 24px; } h3 { font-size: 14px; font-weight: 600; line-height: 1.4; }
h4, dt, figcaption, label span { font-size: 12px; font-weight: 500; color: var(--text-soft); }
a { color: var(--accent); text-underline-offset: 2px; }
code, pre { font: 12.5px/1.55 var(--mono); }
pre { margin: 0; padding: 10px 12px; max-height: 360px; overflow: auto; background: var(--raised); border-radius: var(--radius); white-space: pre-wrap; }
pre b { font-weight: 400; color: var(--info); } pre .s { color: var(--good); } pre .n { color: var(--warn); } pre i { color: var(--text-soft); }
mark { background: var(--mark); color: inherit; border-radius: 2px; box-shadow: 0 0 0 2px var(--mark); } mark i, mark .line { color: inherit; }
.soft { color: var(--text-soft); font-weight: 400; }
header { padding-top: 20px; }
.brand { display: flex; align-items: center; gap: 8px; margin-bottom: 16px; font-weight: 600; } .brand .soft { font-weight: 400; }
.verdict { margin-bottom: 6px; font-size: 13px; } .verdict b { color: var(--text-soft); font-weight: 600; }
.holds .verdict b { color: var(--good); } .broken .verdict b { color: var(--bad); } .incomplete .verdict b, .no-verdict .verdict b { color: var(--warn); }
.verdict b::before { content: ''; display: inline-block; width: 9px; height: 9px; margin-right: 8px; border-radius: 50%; background: currentcolor; }
.reason { margin-top: 8px; max-width: 60rem; }
.facts { display: flex; flex-wrap: wrap; gap: 2px 20px; margin-top: 12px; color: var(--text-soft); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 10px 0 0; margin-top: 12px; border-top: 1px solid var(--line); }
nav a { color: var(--text-soft); text-decoration: none; } nav a:hover { color: var(--accent); text-decoration: underline; }
form { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 12px; margin-bottom: 12px; }
label { display: grid; gap: 2px; } label.find { flex: 1 1 240px; max-width: 420px; }
input[type=search] { width: 100%; max-width: 240px; height: 32px; padding: 0 8px; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius); } label.find input { max-width: none; }
output { min-height: 32px; padding: 6px 0; color: var(--text-soft); }
button { height: 32px; padding: 0 10px; font: inherit; font-weight: 500; color: var(--accent); background: none; border: 0; border-radius: var(--radius); cursor: pointer; } button:hover { background: var(--raised); }
button.copy { height: 24px; padding: 0 8px; margin-left: auto; font-size: 12px; }
#filter { position: sticky; top: 0; z-index: 2; padding: 8px 0; background: var(--page); }
.cause { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); margin-bottom: 8px; }
.cause > details > summary { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 4px 12px; align-items: baseline; padding: 10px 16px; border-radius: var(--radius); }
.cause > details > summary:hover { background: var(--raised); }
.cause .number { min-width: 1.6em; color: var(--bad); font: 600 13px var(--mono); text-align: right; } .cause.quiet .number { color: var(--text-soft); }
summary { cursor: pointer; list-style: none; min-height: 26px; padding: 2px 0; } summary::-webkit-details-marker { display: none; }
summary::before { content: '▸'; display: inline-block; width: 14px; color: var(--text-soft); } details[open] > summary::before { content: '▾'; } .cause > details > summary::before { display: none; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; justify-content: end; }
.chip { padding: 1px 7px; border-radius: 9px; font-size: 11px; line-height: 16px; color: var(--text-soft); background: var(--raised); white-space: nowrap; }
.chip.known, .chip.quiet { color: var(--warn); background: var(--warn-surface); }
.inside { padding: 4px 16px 16px; display: grid; gap: 14px; scroll-margin-top: 120px; }
dl { display: grid; gap: 4px; } dl > div { display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: 12px; } dt { padding-top: 1px; }
.received { color: var(--bad); } .quiet .received { color: inherit; }
.exchange, .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; }
.message { min-width: 0; display: grid; gap: 6px; align-content: start; } .message h4 { border-bottom: 1px solid var(--line); padding-bottom: 4px; }
.start { min-height: 24px; } .method { font: 600 12.5px var(--mono); color: var(--accent); margin-right: 4px; }
.status { display: inline-block; padding: 0 8px; border-radius: 9px; font: 600 12px/20px var(--mono); background: var(--raised); }
.s2 { color: var(--good); background: var(--good-surface); } .s3 { color: var(--info); background: var(--info-surface); } .s4 { color: var(--warn); background: var(--warn-surface); } .s5 { color: var(--bad); background: var(--bad-surface); }
.headers pre { margin-top: 4px; } .headers summary { font-size: 12px; color: var(--text-soft); }
figure { min-width: 0; } pre.document { white-space: pre; } figcaption { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; min-height: 28px; } figcaption code { color: var(--text); }
.line { display: inline-block; min-width: 4ch; margin-right: 12px; color: var(--text-soft); text-align: right; user-select: none; }
.reproduce pre { white-space: pre-wrap; word-break: break-all; }
.instance { border-top: 1px solid var(--line); padding-top: 10px; } .instance[open] { display: grid; gap: 12px; } .instance[open] > * { margin-top: 8px; }
.empty { padding: 24px; text-align: center; color: var(--text-soft); background: var(--surface); border: 1px dashed var(--line); border-radius: var(--radius); }
table { border-collapse: separate; border-spacing: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
th, td { padding: 5px 12px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); } tbody tr:last-child > * { border-bottom: 0; }
thead th { font-size: 12px; color: var(--text-soft); background: var(--raised); } tbody th { font-weight: 500; }
.wide { overflow: auto; position: relative; margin-top: 8px; } .wide table { overflow-wrap: normal; } .tall td { white-space: nowrap; }
.tall { max-height: min(75vh, 720px); border: 1px solid var(--line); border-radius: var(--radius); width: fit-content; max-width: 100%; } .tall table { border: 0; }
.tall thead th { position: sticky; top: 0; z-index: 1; box-shadow: 0 1px var(--line); } .tall tbody th { position: sticky; left: 0; background: var(--surface); min-width: 9rem; max-width: 40vw; overflow-wrap: anywhere; } .tall thead th:first-child { left: 0; z-index: 2; }
td.covered { color: var(--good); } td.violated { background: var(--bad-surface); } td.violated, td.violated a { color: var(--bad); font-weight: 600; } td.not-reached, td.partly-covered { color: var(--warn); } td.skipped, td.withheld, td.planned { color: var(--text-soft); }
.passed { color: var(--good); } .failed { color: var(--bad); } .not-reached { color: var(--warn); } .skipped, .withheld, .planned { color: var(--text-soft); }
sup { font-size: 10px; } td.figure { text-align: right; }
.reasons { margin-top: 8px; padding-left: 28px; color: var(--text-soft); }
section > ul { padding-left: 20px; } .cases { list-style: none; padding: 4px 0 8px 14px; } .cases span { display: inline-block; min-width: 6.5rem; font-weight: 600; }
footer { margin-top: 40px; padding-top: 1px; padding-bottom: 48px; } footer::before { content: ''; display: block; border-top: 1px solid var(--line); }
footer h2 { margin-top: 24px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; } :target { scroll-margin-top: 120px; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
@media screen and (max-width: 52rem) {
  header, main, footer { padding-left: 16px; padding-right: 16px; } h1 { font-size: 20px; }
  .exchange, .pair { grid-template-columns: minmax(0, 1fr); } dl > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .cause > details > summary { grid-template-columns: auto minmax(0, 1fr); padding: 10px 12px; } .chips { grid-column: 2; justify-content: start; } .inside { padding: 4px 12px 12px; }
  #filter { position: static; } :target, .inside { scroll-margin-top: 16px; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --raised: #f5f5f5; } body { font-size: 11px; } code, pre { font-size: 10px; }
  nav, form, button, .skip { display: none !important; } pre, .tall { max-height: none; overflow: visible; } pre.document { white-space: pre-wrap; } header, main, footer { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; display: block; height: auto; } .cause, .exchange, figure { break-inside: avoid-page; } .cause { border-width: 1px 0 0; border-radius: 0; } thead { display: table-header-group; } .tall thead th { position: static; }
}
`;
