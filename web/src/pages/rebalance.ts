import type { Reply } from '@stakewright/client'
import { useState } from 'preact/hooks'
import { dropRefusedKey } from '../data/account/play-key.ts'
import { snippetsFor } from '../data/docs/snippets.ts'
import { examplePositions, type Position, parsePositions, positionsText } from '../data/positions-text.ts'
import { type Network, useEpoch, useNetwork, useValidators, type Validator } from '../data/queries.ts'
import { usePlace } from '../data/router.ts'
import { call } from '../data/service.ts'
import { Amount } from '../parts/amount.ts'
import { rangeSentence } from '../parts/apy-range.ts'
import { badge } from '../parts/badge.ts'
import { CodeTabs } from '../parts/code.ts'
import { Figure } from '../parts/figure.ts'
import { formatDecimal, formatPercent, formatTokens, plural, toTokens } from '../parts/format.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { AddressStake } from '../parts/lab/address-stake.ts'
import { empty, Failure, skeleton } from '../parts/state.ts'
import { nameText, validatorLink } from '../parts/validator-link.ts'
import { breakEvenPlot } from '../plots/break-even.ts'

type Plan = Reply<'planRebalance'>

/** Should stake that I already have move? */
export default function Rebalance(): View {
  const network = useNetwork().data
  const validators = useValidators().data?.data
  return html`<div class="page">
    <div class="page-head"><div><h1>Rebalance</h1>
      <p class="lede">Compares what you hold with the optimum, net of what switching costs. Doing nothing is a valid answer.</p></div></div>
    ${network && validators ? h(KeyGate, { height: '480px', children: () => h(Lab, { network, validators }) }) : skeleton('100%', '480px')}
  </div>`
}

type Known = { readonly network: Network; readonly validators: readonly Validator[] }
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'done'; readonly plan: Plan; readonly positions: readonly Position[] }

function Lab({ network, validators }: Known): View {
  const owner = usePlace().query.get('owner') ?? ''
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [state, setState] = useState<State>({ kind: 'idle' })

  const plan = (positions: readonly Position[]) => {
    setState({ kind: 'working' })
    call((client) => client.planRebalance({ positions: [...positions] })).then(
      (answer) => setState({ kind: 'done', plan: answer, positions }),
      (error: unknown) => {
        dropRefusedKey(error)
        setState({ kind: 'failed', error })
      },
    )
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const parsed = parsePositions(text, validators, network)
    setProblem(parsed.kind === 'problem' ? parsed.text : undefined)
    if (parsed.kind === 'ok') plan(parsed.positions)
    else setState({ kind: 'idle' })
  }
  const fill = (positions: readonly Position[]) => {
    setText(positionsText(positions, validators, network))
    setProblem(undefined)
    plan(positions)
  }

  return html`<div class="grid">
    <form class="card span-5 stack start" onSubmit=${submit} aria-label="What you hold">
      <h2>What you hold</h2>
      ${h(AddressStake, { owner, onFound: fill, onLoad: () => setState({ kind: 'idle' }) })}
      ${h(Field, { label: 'Or write it: one position per line', hint: 'Validator name or id, amount in tokens, id of the staked token (may be left out).', problem, children: (props) => html`<textarea ...${props} class="textarea" spellcheck=${false} placeholder="Mossy Ridge, 25000" value=${text} onInput=${(event: Event) => setText(inputValue(event))}></textarea>` })}
      <div class="row"><button class="button" data-kind="primary" type="submit" disabled=${state.kind === 'working'}>Plan</button></div>
    </form>
    <section class="span-7" aria-live="polite" aria-label="The plan">${showState(state, { network, validators }, () => fill(examplePositions(validators, network)))}</section>
  </div>
  ${state.kind === 'done' && html`<section class="section" aria-labelledby="call"><h2 id="call">The same call</h2><div style=${{ height: '12px' }}></div>${h(CodeTabs, { label: 'Language', tabs: snippetsFor({ endpoint: 'planRebalance', input: { positions: state.positions } }, location.origin) })}</section>`}`
}

function showState(state: State, known: Known, tryExample: () => void): View {
  switch (state.kind) {
    case 'idle':
      return html`<div class="card">${empty('Load an address or write down what you hold: the plan appears here.', html`<button class="button" type="button" onClick=${tryExample}>Try an example</button>`)}</div>`
    case 'working':
      return skeleton('100%', '360px')
    case 'failed':
      return h(Failure, { error: state.error })
    case 'done':
      return h(PlanCard, { plan: state.plan, ...known })
  }
}

function PlanCard({ plan, network, validators }: Known & { readonly plan: Plan }): View {
  const epochsPerYear = useEpoch().data?.epochsPerYear
  const { summary, steps, currentPositions } = plan
  const isMove = summary.recommendation === 'move'
  const nameOf = (id: string) => validators.find((one) => one.id === id)?.name ?? id
  return html`<div class="stack">
    <div class="card stack"><div class="row spread"><h2>${isMove ? 'Move' : 'Hold'}</h2>${isMove ? badge('worth moving', 'good') : badge('stay where you are')}</div>
      <p class="figure-number">${formatPercent(summary.currentWeightedApy)}${isMove && html` <span class="faint">→</span> ${formatPercent(summary.projectedWeightedApy)}`}</p>
      <p class="prose">${summary.reason}</p>
      ${rangeSentence(summary.range)}
      ${isMove && summary.breakEvenEpochs !== null && html`<p class="small soft">Complete after ${plural(summary.estimatedEpochsToComplete, 'epoch')}; level after ${formatDecimal(summary.breakEvenEpochs, 1)} epochs; weighed over ${plural(summary.horizonEpochs, 'epoch')}.</p>`}
    </div>
    ${isMove && summary.breakEvenEpochs !== null && epochsPerYear !== undefined && html`<div class="card">${breakEvenFigure(plan, summary.breakEvenEpochs, epochsPerYear, network)}</div>`}
    ${
      steps.length > 0 &&
      html`<div class="card"><h3>Steps</h3><ol class="steps">${steps.map(
        ({ order, action, validator, amount, requiresEpochWait }) =>
          html`<li><span class="faint">${order}</span><span>${action === 'unstake' ? 'Unstake' : 'Stake'} <strong>${h(Amount, { value: amount })}</strong> ${action === 'unstake' ? 'from' : 'with'} ${validatorLink({ id: validator, name: nameOf(validator) })}${requiresEpochWait ? html` <span class="soft">– ${action === 'unstake' ? 'the coins come in a later epoch' : 'once the coins are there'}</span>` : ''}</span></li>`,
      )}</ol></div>`
    }
    <div class="card"><h3>Where it is now</h3><table class="table-plain"><thead><tr><th scope="col">Validator</th><th scope="col" data-align="end">Staked</th><th scope="col" data-align="end">APY now</th></tr></thead><tbody>${currentPositions.map(
      ({ validator, stakedAmount, currentApy }) =>
        html`<tr><td>${nameText(nameOf(validator))}</td><td data-align="end">${h(Amount, { value: stakedAmount })}</td><td data-align="end">${formatPercent(currentApy)}</td></tr>`,
    )}</tbody></table></div>
  </div>`
}

function breakEvenFigure(
  { summary, currentPositions }: Plan,
  crossing: number,
  epochsPerYear: number,
  network: Network,
): View {
  const held = toTokens(
    currentPositions.reduce((sum, { stakedAmount }) => sum + BigInt(stakedAmount), 0n),
    network.decimals,
  )
  const perEpoch = (apy: number) => (held * apy) / 100 / epochsPerYear
  const [hold, move] = [perEpoch(summary.currentWeightedApy), perEpoch(summary.projectedWeightedApy)]
  const start = crossing * (1 - hold / move)
  const text = (tokens: number) =>
    formatTokens(BigInt(Math.round(tokens * 10 ** network.decimals)), network.decimals)
  const ahead = move * (summary.horizonEpochs - start) - hold * summary.horizonEpochs
  return h(Figure, {
    title: `Rewards in sum, ${network.symbol}`,
    caption: `Moving is behind at first, because stake that moves earns nothing for a while. It is level after ${formatDecimal(crossing, 1)} epochs and ${text(ahead)} ${network.symbol} ahead after ${summary.horizonEpochs}.`,
    table: () => ({
      head: ['Epochs from now', 'Hold', 'Move'],
      rows: Array.from({ length: 11 }, (_, index) => Math.round((summary.horizonEpochs * index) / 10)).map(
        (epoch) => [String(epoch), text(hold * epoch), text(Math.max(0, move * (epoch - start)))],
      ),
    }),
    children: breakEvenPlot({ hold, move, crossing, horizon: summary.horizonEpochs }),
  })
}
