import { useEffect, useState } from 'preact/hooks'
import { dropRefusedKey } from '../data/account/play-key.ts'
import { type Asked, useAsk } from '../data/ask.ts'
import { snippetsFor } from '../data/docs/snippets.ts'
import { examplePositions, type Position, parsePositions, positionsText } from '../data/positions-text.ts'
import { useNetwork, useValidators } from '../data/queries.ts'
import { type AddressStake, useAddressStake } from '../data/rebalance/address-stake.ts'
import { heldQuery, ownerQuery, readWish, type Wish } from '../data/rebalance/wish.ts'
import { navigate, usePlace } from '../data/router.ts'
import { CodeTabs } from '../parts/code.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { AddressField } from '../parts/lab/address-field.ts'
import { type Known, type Plan, PlanCard } from '../parts/lab/plan-card.ts'
import { awaited, empty, Failure, skeleton } from '../parts/state.ts'

/** Should stake that I already have move? */
export default function Rebalance(): View {
  const answers = [useNetwork(), useValidators()] as const
  const network = answers[0].data
  const validators = answers[1].data?.data
  return html`<div class="page">
    <div class="page-head"><div><h1>Rebalance</h1>
      <p class="lede">Compares what you hold with the optimum, net of what switching costs. Doing nothing is a valid answer.</p></div></div>
    ${network && validators ? h(KeyGate, { height: '480px', children: () => h(Lab, { network, validators }) }) : awaited(answers, '480px')}
  </div>`
}

/** What is planned for is in the address: a reload, the way back and a copied link show the same plan. */
function Lab({ network, validators }: Known): View {
  const { query } = usePlace()
  const wish = readWish(query)
  const stake = useAddressStake(wish)
  const positions = positionsOf(wish, stake)
  const key = positions && heldQuery(positions)
  const planned = useAsk(key, (client) => client.planRebalance({ positions: [...(positions ?? [])] }), 0)
  useEffect(() => dropRefusedKey(planned.error), [planned.error])
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (positions) setText(positionsText(positions, validators, network))
    else if (wish.kind === 'none') setText('')
    setProblem(undefined)
  }, [key, wish.kind])

  const plan = (next: readonly Position[]) => {
    setProblem(undefined)
    setText(positionsText(next, validators, network))
    if (heldQuery(next) === key) planned.retry()
    else navigate(`/rebalance?${heldQuery(next)}`)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const parsed = parsePositions(text, validators, network)
    setProblem(parsed.kind === 'problem' ? parsed.text : undefined)
    if (parsed.kind === 'ok') plan(parsed.positions)
  }
  const load = (owner: string, from?: number) => navigate(`/rebalance?${ownerQuery(owner, from)}`)

  const state = problem === undefined ? stateOf(wish, stake, planned) : IDLE
  return html`<div class="grid">
    <form class="card span-5 stack start" onSubmit=${submit} aria-label="What you hold">
      <h2>What you hold</h2>
      ${h(AddressField, { wish, stake, load })}
      ${h(Field, { label: 'Or write it: one position per line', hint: 'Validator name or id, amount in tokens, id of the staked token (may be left out).', problem, children: (props) => html`<textarea ...${props} class="textarea" spellcheck=${false} placeholder="Mossy Ridge, 25000" value=${text} onInput=${(event: Event) => setText(inputValue(event))}></textarea>` })}
      <div class="row"><button class="button" data-kind="primary" type="submit" disabled=${state.kind === 'working'}>Plan</button></div>
    </form>
    <section class="span-7" aria-live="polite" aria-label="The plan">${showState(state, { network, validators }, () => plan(examplePositions(validators, network)))}</section>
  </div>
  ${state.kind === 'done' && html`<section class="section" aria-labelledby="call"><h2 id="call">The same call</h2><div style=${{ height: '12px' }}></div>${h(CodeTabs, { label: 'Language', tabs: snippetsFor({ endpoint: 'planRebalance', input: { positions } }, location.origin) })}</section>`}`
}

const positionsOf = (wish: Wish, stake: AddressStake): readonly Position[] | undefined =>
  wish.kind === 'held' ? wish.positions : stake.kind === 'found' ? stake.part : undefined

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'unread'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'done'; readonly plan: Plan }
const IDLE: State = { kind: 'idle' }

function stateOf(wish: Wish, stake: AddressStake, planned: Asked<Plan>): State {
  if (wish.kind === 'problem') return { kind: 'unread', text: wish.text }
  if (stake.kind === 'loading') return { kind: 'working' }
  if (wish.kind !== 'held' && stake.kind !== 'found') return IDLE
  if (planned.isPending) return { kind: 'working' }
  if (planned.error !== undefined) return { kind: 'failed', error: planned.error, retry: planned.retry }
  return planned.answer ? { kind: 'done', plan: planned.answer } : IDLE
}

function showState(state: State, known: Known, tryExample: () => void): View {
  switch (state.kind) {
    case 'idle':
      return html`<div class="card">${empty('Load an address or write down what you hold: the plan appears here.', html`<button class="button" type="button" onClick=${tryExample}>Try an example</button>`)}</div>`
    case 'unread':
      return html`<div class="notice" data-tone="bad" role="alert"><span>${state.text}</span></div>`
    case 'working':
      return skeleton('100%', '360px')
    case 'failed':
      return h(Failure, { error: state.error, retry: state.retry })
    case 'done':
      return h(PlanCard, { plan: state.plan, ...known })
  }
}
