/** The colours are those of the web app. */
export const PAGE_STYLE = `
:root {
  --ground: #fafaf9; --card: #ffffff; --ink: #191a1c; --soft: #53565c; --line: #e5e5e1;
  --accent: #3552c8; --accent-ink: #ffffff; --good: #14704a; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101214; --card: #171a1d; --ink: #eceef0; --soft: #adb4bc; --line: #282d32;
    --accent: #9db0ff; --accent-ink: #10152b; --good: #62cf9a; --bad: #ff958a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1.25rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Inter, Roboto, sans-serif;
}
main {
  width: 100%; max-width: 27rem; padding: 2rem 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px;
}
body:has(header) { grid-template-rows: auto 1fr; padding-top: 0; }
header {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; justify-self: stretch;
  margin: 0 -1.25rem; padding: .6rem 1.25rem; border-bottom: 1px solid var(--line);
}
header .brand { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: .125rem; margin-left: -.65rem; }
nav a { padding: .4rem .65rem; border-radius: 6px; color: var(--soft); font-size: .9375rem; font-weight: 500; text-decoration: none; }
nav a:hover { color: var(--ink); text-decoration: underline; }
nav a:focus-visible { outline: 2px solid var(--accent); }
.brand { display: flex; align-items: center; gap: .55rem; margin: 0 0 1.25rem; font-size: .9375rem; font-weight: 640; }
.brand rect { fill: var(--accent); }
.brand path { fill: var(--accent-ink); }
a { color: var(--accent); }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em; }
p { margin: 0 0 1rem; }
form { margin: 1.5rem 0; }
[hidden] { display: none; }
button {
  width: 100%; padding: .85rem 1.25rem; border: 0; border-radius: 6px; cursor: pointer;
  background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600;
}
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
button[disabled] { opacity: .6; cursor: progress; }
#status:empty { display: none; }
#status { outline: 0; overflow-wrap: anywhere; }
#status[data-kind="good"] { color: var(--good); }
#status[data-kind="bad"] { color: var(--bad); }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.note { margin: 0; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
`
