import { APY_EPOCHS } from '@stakewright/contract/limits'
import { type Network, useHistories, type Validator } from '../../data/queries.ts'
import { uptimeSquares } from '../../plots/uptime-squares.ts'
import { Amount } from '../amount.ts'
import { formatCommission, formatDecimal, formatPercent, formatShare, formatTokens } from '../format.ts'
import { h, type View } from '../html.ts'
import { stats } from '../stat.ts'

const EPOCHS = 30

/** Whether it is no longer a member. Its uptime does not include the epochs since then, although its score does. */
export const hasLeft = ({ status }: Pick<Validator, 'status'>): boolean => status === 'inactive'

/** Score, yield, commission, uptime and stake of a validator, in a row. */
export function validatorFigures(
  validator: Validator,
  all: readonly Validator[],
  network: Network | undefined,
): View {
  const {
    score,
    apy,
    commissionRate,
    nextCommissionRate,
    uptime,
    totalStake,
    pendingStake,
    withdrawingStake,
  } = validator
  const ranked = all.filter((one) => one.score !== null && one.score > 0)
  const rank = ranked.filter((one) => (one.score ?? 0) > (score ?? 0)).length + 1
  const announced =
    nextCommissionRate === commissionRate
      ? 'no change announced'
      : `${formatCommission(nextCommissionRate)} announced`
  const flow = BigInt(pendingStake) - BigInt(withdrawingStake)
  return stats([
    {
      label: 'Score',
      value: score === null ? '–' : formatDecimal(score, 1),
      note: score ? `number ${rank} of ${ranked.length}` : 'not ranked',
    },
    {
      label: 'Net APY',
      value: apy === null ? '–' : formatPercent(apy),
      note:
        apy === null
          ? 'no history yet'
          : `the lower of the means of ${APY_EPOCHS.short} and ${APY_EPOCHS.long} epochs`,
    },
    { label: 'Commission', value: formatCommission(commissionRate), note: announced },
    {
      label: hasLeft(validator) ? 'Uptime while a member' : `Uptime, ${EPOCHS} epochs`,
      value: uptime === null ? '–' : formatShare(uptime, 1),
      note: h(Squares, { id: validator.id }),
    },
    {
      label: 'Stake',
      value: h(Amount, { value: totalStake }),
      note:
        network && flow !== 0n
          ? `${flow > 0n ? '+' : ''}${formatTokens(flow, network.decimals)} on its way`
          : 'nothing on its way',
    },
  ])
}

function Squares({ id }: { readonly id: string }): View {
  const history = useHistories(EPOCHS).data?.data.find((one) => one.id === id)
  return uptimeSquares(history?.performed ?? [])
}
