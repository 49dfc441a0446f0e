import type { Reply } from '@stakewright/contract'
import { amountText, minuteText, secondText } from './figures.ts'
import { unitOfCoin } from './readable-figures.ts'
import type { Style } from './style.ts'

/** A transaction to sign, as people see it. */
export const builtView = (built: Reply<'buildStake'>, style: Style): string =>
  [
    style.paint('bold', built.summary),
    ...built.warnings.map(({ message }) => style.paint('yellow', message)),
    `call     ${built.target}`,
    `from     ${sinceText(built)}`,
    ...signingLines(built, style),
  ].join('\n')

/** The same for a batch, with a line per action. */
export const batchView = (built: Reply<'buildBatch'>, style: Style): string =>
  [
    ...built.items.map(
      (item, at) => `${style.paint('bold', `${at}: ${item.summary}`)}\n   from ${sinceText(item)}`,
    ),
    ...built.warnings.map(({ item, message }) =>
      style.paint('yellow', item === null ? message : `${item}: ${message}`),
    ),
    `stakes   ${amountText(built.staked, built)}`,
    ...signingLines(built, style),
  ].join('\n')

const sinceText = ({
  availableAtEpoch,
  availableAt,
}: Pick<Reply<'buildStake'>, 'availableAtEpoch' | 'availableAt'>): string =>
  `epoch ${availableAtEpoch}, about ${minuteText(availableAt)} UTC`

type Signed = Pick<Reply<'buildBatch'>, 'expiresAt' | 'simulation' | 'symbol' | 'decimals'>

function signingLines({ expiresAt, simulation, ...unit }: Signed, style: Style): readonly string[] {
  const coins = simulation.effects?.balances.map(({ coinType, change }) =>
    amountText(change, unitOfCoin(coinType, unit)),
  )
  return [
    ...(coins && coins.length > 0 ? [`coins    ${coins.join(', ')}`] : []),
    `sign by  ${secondText(expiresAt)} UTC`,
    style.paint('dim', '--json prints the commands for your wallet or for sandbox execute'),
  ]
}
