import type { Wallet } from '../../data/account/wallet.ts'
import type { Holding } from '../../data/positions.ts'
import { html, type View } from '../html.ts'

type Step = 'build' | 'read' | 'wait' | 'back' | 'withdraw'

/** The steps in the life of a stake, each with its name and advice. */
const STEPS: Readonly<Record<Step, readonly [name: string, advice: string]>> = {
  build: ['Build', 'Choose an amount and a validator, and build the transaction. Nothing happens yet.'],
  read: ['Read and execute', 'Read what the transaction does, line by line, then execute it.'],
  wait: ['Let time pass', 'The stake is active. Complete some epochs and watch the rewards grow.'],
  back: ['Ask for it back', 'Go on earning, or unstake: the coins come in a later epoch.'],
  withdraw: ['Withdraw', 'The waiting is over: withdraw the coins.'],
}
const ORDER: readonly Step[] = ['build', 'read', 'wait', 'back', 'withdraw']

/** The present step. Steps that wait for the owner take precedence over steps that only need time. */
function stepOf(held: Holding | undefined, isDraft: boolean): Step {
  if (isDraft) return 'read'
  const tokens = held?.tokens ?? []
  if (tokens.length === 0) return 'build'
  if (tokens.some(({ state }) => state === 'withdrawable')) return 'withdraw'
  if (tokens.some(({ rewards, state }) => state === 'active' && BigInt(rewards) > 0n)) return 'back'
  return 'wait'
}

/** The chain decides when stake becomes active: late in an epoch it takes one epoch longer. */
const pendingAdvice = (pending: Holding['tokens']): string =>
  `The stake becomes active in epoch ${Math.min(...pending.map(({ activationEpoch }) => activationEpoch))}. Complete epochs until then, and more to watch the rewards grow.`

const againAdvice = ({ earned }: Wallet): string =>
  earned.some(({ rewards }) => rewards !== '0')
    ? 'A whole life: staked, earned, paid out. Begin another, with another validator perhaps.'
    : 'The coins are back before they have earned anything. Begin again, and complete epochs before you take them out.'

/** The guide above all cards: the present step and what to do next. */
export function lifeSteps(current: Wallet, held: Holding | undefined, isDraft: boolean): View {
  const step = stepOf(held, isDraft)
  const waiting = step === 'wait' ? (held?.tokens ?? []) : []
  const isAsked = waiting.some(({ state }) => state === 'withdrawing')
  const pending = waiting.filter(({ state }) => state === 'pending')
  const isAgain = step === 'build' && BigInt(current.paidOut) > 0n
  const advice = isAsked
    ? 'It was asked for. Complete epochs until it can be withdrawn.'
    : pending.length > 0
      ? pendingAdvice(pending)
      : isAgain
        ? againAdvice(current)
        : STEPS[step][1]
  return html`<section class="life" aria-label="What comes next"><ol>${ORDER.map(
    (name, index) =>
      html`<li aria-current=${name === step ? 'step' : undefined}><span class="life-number" aria-hidden="true">${index + 1}</span>${STEPS[name][0]}</li>`,
  )}</ol><p role="status">${advice}</p></section>`
}
