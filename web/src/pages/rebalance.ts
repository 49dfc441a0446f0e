import type { Client } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { dropRefusedKey } from '../data/account/play-key.ts'
import { type LiveAnswer, useAsk } from '../data/asking/ask.ts'
import { snippetsFor } from '../data/docs/snippets.ts'
import { examplePositions, type Position, parsePositions, positionsText } from '../data/positions-text.ts'
import { useNetwork, useValidators } from '../data/queries.ts'
import { type AddressStake, useAddressStake } from '../data/rebalance/address-stake.ts'
import {
  heldQuery,
  ownerQuery,
  type PlanRequest,
  readHorizon,
  readPlanRequest,
} from '../data/rebalance/plan-request.ts'
import { navigate, setQuery, usePlace } from '../data/router.ts'
import { CodeTabs } from '../parts/code.ts'
import { plural } from '../parts/format.ts'
import { Answerable, OpenInput } from '../parts/forms/answerable.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { AddressField } from '../parts/lab/address-field.ts'
import { type Known, PlanCard, type Planned } from '../parts/lab/plan-card.ts'
import { empty, errorOrSkeleton, Failure, skeleton } from '../parts/state.ts'

/** Whether and how existing stake should move. */
export default function Rebalance(): View {
  const answers = [useNetwork(), useValidators()] as const
  const network = answers[0].data
  const validators = answers[1].data?.data
  return html`<div class="page">
    <div class="page-head"><div><h1>Rebalance</h1>
      <p class="lede">Compares what you hold with the optimum, net of what switching costs. Doing nothing is a valid answer.</p></div></div>
    ${network && validators ? h(KeyGate, { height: '480px', children: () => h(Lab, { network, validators }) }) : errorOrSkeleton(answers, '480px')}
  </div>`
}

/** The positions to plan for are in the URL: a reload, the back button and a copied link show the same plan. */
function Lab({ network, validators }: Known): View {
  const { query } = usePlace()
  const request = readPlanRequest(query)
  const owner = request.kind === 'owner' ? request.owner : ''
  const stake = useAddressStake(request)
  const positions = positionsOf(request, stake)
  const key = positions && heldQuery(positions)
  const horizonEpochs = readHorizon(query)
  const input = { positions: [...(positions ?? [])], ...(horizonEpochs !== undefined && { horizonEpochs }) }
  // The key has the epoch, because a plan names the epochs of its steps.
  const asked = key && `${key} over ${horizonEpochs} in ${network.epoch}`
  const planned = useAsk(asked, (client) => planFor(client, input))
  const go = (next: string) =>
    navigate(`/rebalance?${next}${horizonEpochs === undefined ? '' : `&horizon=${horizonEpochs}`}`)
  useEffect(() => dropRefusedKey(planned.error), [planned.error])
  const written = positions ? positionsText(positions, validators, network) : ''
  const [text, setText] = useState(written)
  const [address, setAddress] = useState(owner)
  const parsed = parsePositions(text, validators, network)
  // With such notes the text stays as it was typed, so that they stay beside the plan.
  const isNoted = parsed.kind === 'ok' && parsed.notes.length > 0
  const isSame = (other: readonly Position[] | undefined): boolean =>
    parsed.kind === 'ok' && other !== undefined && heldQuery(parsed.positions) === heldQuery(other)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  useLayoutEffect(() => {
    if ((positions && !(isNoted && isPlanned())) || request.kind === 'none') setText(written)
    setProblem(undefined)
  }, [key, request.kind])
  useLayoutEffect(() => setAddress(owner), [owner])

  const plan = (next: readonly Position[]) => {
    setProblem(undefined)
    if (!isNoted || !isSame(next)) setText(positionsText(next, validators, network))
    setAddress(owner)
    if (heldQuery(next) === key) planned.retry()
    else go(heldQuery(next))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setProblem(parsed.kind === 'problem' ? parsed.text : undefined)
    if (parsed.kind === 'ok') plan(parsed.positions)
  }
  const load = (from?: number) => go(ownerQuery(address, from))
  const isPlanned = (): boolean => text === written || isSame(positions)

  const state = stateOf(request, stake, planned)
  const tryExample = () => plan(examplePositions(validators, network))
  return h(Answerable, {
    hasUnread: false,
    children: (isAnswerable) => {
      const shown = isAnswerable || !isAnswer(state) ? state : OTHER
      return html`<div class="grid">
    <form class="card span-5 stack start" onSubmit=${submit} aria-label="What you hold">
      <h2>What you hold</h2>
      ${h(OpenInput, { isOpen: address !== owner || !isPlanned() })}
      ${h(AddressField, { text: address, setText: setAddress, owner, stake, load })}
      ${h(Field, { label: 'Or write it: one position per line', hint: isNoted ? notesText(parsed.notes) : 'Validator name or id, amount in tokens, id of the staked token (may be left out).', problem, children: (props) => html`<textarea ...${props} class="textarea" spellcheck=${false} placeholder="Mossy Ridge, 25000" value=${text} onInput=${(event: Event) => setText(inputValue(event))}></textarea>` })}
      ${horizonField(horizonEpochs, horizonEpochs === undefined ? planned.answer?.plan.summary.horizonEpochs : undefined)}
      <div class="row"><button class="button" data-kind="primary" type="submit" aria-disabled=${state.kind === 'working'}>Plan</button></div>
    </form>
    <section class="span-7" aria-live="polite" aria-label="The plan">${showState(shown, { network, validators }, tryExample)}</section>
  </div>
  ${shown.kind === 'done' && html`<section class="section" aria-labelledby="call"><h2 id="call">The same call</h2><div style=${{ height: '12px' }}></div>${h(CodeTabs, { label: 'Language', tabs: snippetsFor({ endpoint: 'planRebalance', input }, location.origin) })}</section>`}`
    },
  })
}

const notesText = (notes: readonly string[]): View =>
  notes.map((note, index) => html`${index > 0 && html`<br />`}${note}`)

const HORIZONS: readonly number[] = [50, 100, 365, 1_000]

/** The horizon: within how many epochs a move must have earned back what it costs. */
function horizonField(chosen: number | undefined, usual: number | undefined): View {
  const others = chosen === undefined || HORIZONS.includes(chosen) ? HORIZONS : [chosen, ...HORIZONS]
  return h(Field, {
    label: 'A move must pay within',
    hint: 'If you stay for longer, a move has longer to earn back what it costs.',
    children: (props) =>
      html`<select ...${props} class="select" value=${String(chosen ?? '')} onChange=${(event: Event) => setQuery({ horizon: inputValue(event) }, 'step')}><option value="">${usual === undefined ? 'the usual horizon' : `the usual ${plural(usual, 'epoch')}`}</option>${others.map((epochs) => html`<option value=${String(epochs)}>${plural(epochs, 'epoch')}</option>`)}</select>`,
  })
}

type PlanInput = Parameters<Client['planRebalance']>[0]

/** The plan and, if it says to hold, the plan for the longest horizon. */
async function planFor(client: Client, input: PlanInput): Promise<Planned> {
  const plan = await client.planRebalance(input)
  const { recommendation, horizonEpochs } = plan.summary
  const isAsked = recommendation === 'hold' && horizonEpochs < LIMITS.horizonEpochs
  return {
    plan,
    // A failure of the second request is ignored: the requested plan is shown without it.
    ifLong: isAsked
      ? await client.planRebalance({ ...input, horizonEpochs: LIMITS.horizonEpochs }).catch(() => undefined)
      : undefined,
  }
}

const positionsOf = (request: PlanRequest, stake: AddressStake): readonly Position[] | undefined =>
  request.kind === 'held' ? request.positions : stake.kind === 'found' ? stake.part : undefined

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'unread'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'done'; readonly planned: Planned }
  /** The plan is for other positions than those in the form. */
  | { readonly kind: 'other' }
const IDLE: State = { kind: 'idle' }
const OTHER: State = { kind: 'other' }
const isAnswer = ({ kind }: State): boolean => kind === 'done' || kind === 'failed'

function stateOf(request: PlanRequest, stake: AddressStake, planned: LiveAnswer<Planned>): State {
  if (request.kind === 'problem') return { kind: 'unread', text: request.text }
  if (stake.kind === 'loading') return { kind: 'working' }
  if (request.kind !== 'held' && stake.kind !== 'found') return IDLE
  if (planned.isPending) return { kind: 'working' }
  if (planned.error !== undefined) return { kind: 'failed', error: planned.error, retry: planned.retry }
  return planned.answer ? { kind: 'done', planned: planned.answer } : IDLE
}

function showState(state: State, known: Known, tryExample: () => void): View {
  switch (state.kind) {
    case 'idle':
    case 'other':
      return html`<div class="card">${empty(state.kind === 'idle' ? 'Load an address or write down what you hold: the plan appears here.' : 'What you hold has changed: press Plan, or Load, to get its plan.', html`<button class="button" type="button" onClick=${tryExample}>Try an example</button>`)}</div>`
    case 'unread':
      return html`<div class="notice" data-tone="bad" role="alert"><span>${state.text}</span></div>`
    case 'working':
      return skeleton('100%', '360px')
    case 'failed':
      return h(Failure, { error: state.error, retry: state.retry })
    case 'done':
      return h(PlanCard, { ...state.planned, ...known })
  }
}
