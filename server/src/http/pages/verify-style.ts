export const VERIFY_STYLE = `
:root {
  --ground: #f4f5f7; --card: #ffffff; --ink: #16202c; --soft: #56616f; --line: #dfe3e8;
  --accent: #1f5eff; --accent-ink: #ffffff; --good: #0b7a43; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1318; --card: #171e26; --ink: #e8edf2; --soft: #9aa7b5; --line: #2a343f;
    --accent: #7fa6ff; --accent-ink: #0b1526; --good: #5fd398; --bad: #ff9a90;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1.25rem;
  background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 27rem; padding: 2rem 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem;
}
.brand { margin: 0 0 1.25rem; color: var(--soft); font-size: .875rem; font-weight: 600; letter-spacing: .04em; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em; }
p { margin: 0 0 1rem; }
form { margin: 1.5rem 0; }
[hidden] { display: none; }
button {
  width: 100%; padding: .85rem 1.25rem; border: 0; border-radius: .6rem; cursor: pointer;
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
