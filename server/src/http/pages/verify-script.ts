/** Runs in the browser. Inserts answers as text only; the button is disabled while a request is under way. */
export const VERIFY_SCRIPT = `
'use strict'
const at = (id) => document.getElementById(id)
const form = at('form')

function show(kind, text) {
  const status = at('status')
  status.dataset.kind = kind
  status.textContent = text
  status.focus()
}

function finish(title) {
  form.hidden = true
  at('text').hidden = true
  at('note').hidden = true
  at('title').textContent = title
  document.title = title + ' · Stakewright'
}

async function activate() {
  const query = new URLSearchParams(new FormData(form))
  const response = await fetch(form.getAttribute('action') + '?' + query, {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    credentials: 'omit',
  })
  const body = await response.json()
  if (response.ok) {
    finish('Your key is active')
    show('good', 'The key that begins with ' + body.data.keyPrefix + ' works from now on. Your agent sends it as X-API-Key.')
    at('next').hidden = false
    return
  }
  if (response.status === 400) finish('This link does not work any more')
  show('bad', body.message)
}

if (form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = at('button')
    if (button.disabled) return
    button.disabled = true
    try {
      await activate()
    } catch {
      show('bad', 'The service cannot be reached right now. Try again in a moment.')
    } finally {
      button.disabled = false
    }
  })
}
`
