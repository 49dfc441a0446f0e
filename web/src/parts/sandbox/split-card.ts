import { SPLIT_PARAMETER, type SplitPart } from '../../data/allocation/split-address.ts'
import { setQuery } from '../../data/router.ts'
import { ExactAmount } from '../amount.ts'
import { plural, shortId } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { nameText } from '../validator-link.ts'
import type { StageProps } from './stage.ts'

/** A split from the allocation lab, offered as one transaction. */
export function SplitCard({
  split,
  validators,
  current,
  isBusy,
  build,
}: StageProps & { readonly split: readonly SplitPart[] }): View {
  const forget = () => setQuery({ [SPLIT_PARAMETER]: undefined })
  const items = split.map(({ validatorId, amount }) => ({
    action: 'stake' as const,
    validatorId,
    amount: String(amount),
  }))
  const buildAll = () =>
    build('Stake', async (client) => {
      const built = await client.buildBatch({ items, sender: current.address })
      forget()
      return { ...built, requiresEpochWait: built.items.some(({ requiresEpochWait }) => requiresEpochWait) }
    })
  const total = split.reduce((sum, { amount }) => sum + amount, 0n)
  return html`<section class="card stack offer" aria-labelledby="offer"><h2 id="offer">Your split</h2>
    <p class="soft">${h(ExactAmount, { value: total })} with ${plural(split.length, 'validator')}, in one transaction that you read before it is executed:</p>
    <ul>${split.map(({ validatorId, amount }) => html`<li><span>${nameText(validators.find(({ id }) => id === validatorId)?.name ?? shortId(validatorId))}</span>${h(ExactAmount, { value: amount })}</li>`)}</ul>
    <div class="row"><button type="button" class="button" data-kind="primary" aria-disabled=${isBusy} onClick=${buildAll}>Build the transaction of this split</button>
      <button type="button" class="button" onClick=${forget}>Forget it</button></div></section>`
}
