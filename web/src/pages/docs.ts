import { ROUTES } from '@stakewright/contract/routes'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { session } from '../data/account/session.ts'
import { callByName } from '../data/docs/call-by-name.ts'
import { parseInlines } from '../data/docs/markdown.ts'
import { type Operation, type Reference, useReference } from '../data/docs/reference.ts'
import { listFields, type Row, typeName } from '../data/docs/schemas.ts'
import { snippetsFor } from '../data/docs/snippets.ts'
import { describeToPrograms } from '../data/errors/describe-error.ts'
import { usePageTitle } from '../data/page-title.ts'
import { scrollNewPage, usePlace } from '../data/router.ts'
import { useStore } from '../data/store.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { badge } from '../parts/badge.ts'
import { breakable, CodeTabs, codeBlock } from '../parts/code.ts'
import { DocsNav } from '../parts/docs/docs-nav.ts'
import { focusTitle } from '../parts/focus.ts'
import { formatDecimal, plural } from '../parts/format.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { showInline } from '../parts/markdown.ts'
import { skeleton, whenLoaded } from '../parts/state.ts'

/** The API reference: one endpoint at a time, with examples and a way to try it. */
export default function Docs(): View {
  const reference = useReference()
  const wanted = usePlace().query.get('endpoint')
  // Another endpoint is another page, although the path is the same.
  useLayoutEffect(() => {
    if (scrollNewPage()) focusTitle()
  }, [wanted])
  usePageTitle(reference.data?.operations.find(({ name }) => name === wanted)?.summary ?? 'API reference')
  return html`<div class="page docs">${h(DocsNav, { current: wanted ?? '' })}
    <div>${wanted === null && overviewHead}${whenLoaded(
      reference,
      (data) => {
        const operation = data.operations.find(({ name }) => name === wanted)
        return operation
          ? h(OperationView, { key: operation.name, operation, reference: data })
          : html`${wanted !== null && html`${overviewHead}${unreadParts([`There is no endpoint called “${wanted}”: these are all there are.`])}`}${overview(data)}`
      },
      skeleton('100%', '600px'),
    )}</div></div>`
}

const overviewHead = html`<div class="page-head"><div><h1>API reference</h1><p class="lede">Public data need no credential; agents send their key as <code>X-API-Key</code>; people sign in and send a token. The same in machine-readable form: <a href="/openapi.json">/openapi.json</a>.</p></div></div>`

function overview({ operations, version }: Reference): View {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return html`<p class="small soft">Version ${version}, ${plural(operations.length, 'endpoint')}.</p>
    ${tags.map((tag) => html`<section class="section"><h2>${tag}</h2><ul class="endpoints">${operations.filter((one) => one.tag === tag).map((one) => html`<li><a href=${`/docs?endpoint=${one.name}`}><span class="method" data-method=${one.method}>${one.method}</span><code>${breakable(one.path)}</code><span class="soft">${one.summary}</span></a></li>`)}</ul></section>`)}`
}

const CREDENTIALS = { none: 'no credential', 'agent-key': 'API key', 'user-token': 'user token' } as const

function OperationView({
  operation,
  reference,
}: {
  readonly operation: Operation
  readonly reference: Reference
}): View {
  const { name, method, path, summary, description, inputs, example, reply, answer, status, errors } =
    operation
  return html`<a class="crumb" href="/docs">API reference</a><h1>${summary}</h1>
    <p class="row endpoint-line"><span class="method" data-method=${method}>${method}</span><code>${breakable(path)}</code>${badge(CREDENTIALS[ROUTES[name].auth])}</p>
    <p class="prose">${parseInlines(description).map(showInline)}</p>
    <div class="operation">
      <div class="stack">
        ${
          inputs.length > 0 &&
          html`<section><h2>What it takes</h2>${fieldTable(
            inputs.map((input) => ({
              path: input.name,
              type: typeName(input.schema, reference.schemas),
              description: input.description,
              isRequired: input.isRequired,
            })),
            true,
          )}</section>`
        }
        <section><h2>What it answers</h2>${fieldTable(listFields(reply, reference.schemas), false)}</section>
        ${errors.length > 0 && html`<section><h2>What it may refuse</h2><table class="table-plain"><tbody>${errors.map((one) => html`<tr><td class="number">${one.status}</td><td>${parseInlines(one.description).map(showInline)}</td></tr>`)}</tbody></table></section>`}
      </div>
      <div class="stack example">
        <section><h2 class="visually-hidden">Example</h2>${h(CodeTabs, { label: 'Language', tabs: snippetsFor({ endpoint: name, input: example }, location.origin) })}</section>
        <section><h3>Example answer, ${status}</h3>${codeBlock(JSON.stringify(answer, null, 2), 'the example answer')}</section>
        <section class="card"><h2>Try it</h2>${h(TryIt, { operation })}</section>
      </div>
    </div>`
}

const fieldTable = (rows: readonly Row[], isInput: boolean): View =>
  html`<div class="fields">${rows.map(
    ({ path, type, description, isRequired }) =>
      html`<div><div><code class="field-name">${path}</code> <span class="faint small">${type}</span>${isInput && isRequired ? html` <span class="small attention">required</span>` : ''}</div>${description && html`<p class="small soft">${parseInlines(description).map(showInline)}</p>`}</div>`,
  )}</div>`

type Outcome = { readonly text: string; readonly isGood: boolean; readonly ms: number }

function TryIt({ operation }: { readonly operation: Operation }): View {
  const { auth } = ROUTES[operation.name]
  const { user } = useStore(session)
  if (auth === 'agent-key') return h(KeyGate, { height: '200px', children: () => h(TryForm, { operation }) })
  if (auth === 'user-token' && !user)
    return html`<p class="soft">This endpoint needs a signed-in user. <a href="/console">Sign in</a> and come back.</p>`
  return h(TryForm, { operation })
}

function TryForm({ operation }: { readonly operation: Operation }): View {
  const [text, setText] = useState(JSON.stringify(operation.example, null, 2))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const written = useRef(text)
  const send = async (event: Event) => {
    event.preventDefault()
    const input = parseInput(text)
    setProblem(input === undefined ? 'This is not a JSON object.' : undefined)
    if (input === undefined) return
    setIsBusy(true)
    const startedAt = performance.now()
    const settle = (shown: string, isGood: boolean) => {
      // The answer is dropped if the input was edited meanwhile.
      if (written.current === text) setOutcome({ text: shown, isGood, ms: performance.now() - startedAt })
      setIsBusy(false)
    }
    await callByName(operation.name, input).then(
      (answer) => settle(JSON.stringify(answer, null, 2), true),
      (error: unknown) => settle(describeToPrograms(error), false),
    )
  }
  const type = (event: Event) => {
    written.current = inputValue(event)
    setText(written.current)
    setOutcome(undefined)
  }
  return html`<form class="stack" onSubmit=${send} aria-label="Try it">
    ${operation.inputs.length > 0 && h(Field, { label: 'Input', hint: 'Path, query and body in one JSON object, as the client takes it.', problem, children: (props) => html`<textarea ...${props} class="textarea" spellcheck=${false} rows="6" value=${text} onInput=${type}></textarea>` })}
    <div class="row"><button class="button" data-kind="primary" type="submit" aria-disabled=${isBusy}>${isBusy ? 'Waiting …' : 'Send'}</button>${outcome && html`<span class=${outcome.isGood ? 'good small' : 'bad small'} role="status">${outcome.isGood ? 'Answered' : 'Refused'} in ${formatDecimal(outcome.ms, 0)} ms</span>`}</div>
    ${outcome && (outcome.isGood ? codeBlock(outcome.text, 'the answer') : html`<p class="notice" data-tone="bad">${outcome.text}</p>`)}
  </form>`
}

function parseInput(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? toRecord(value) : undefined
  } catch {
    return undefined
  }
}

/** An object that was just parsed from JSON has string keys only. */
const toRecord = (value: object) => value as Readonly<Record<string, unknown>>
