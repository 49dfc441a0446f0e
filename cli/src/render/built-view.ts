import type { Reply } from '@stakewright/contract'
import { minuteText, secondText } from './figures.ts'
import type { Style } from './style.ts'

/** A transaction to sign, as people see it. */
export function builtView(built: Reply<'buildStake'>, style: Style): string {
  return [
    style.paint('bold', built.summary),
    ...doubtsIn(built).map((doubt) => style.paint('yellow', doubt)),
    `call     ${built.target}`,
    `from     epoch ${built.availableAtEpoch}, about ${minuteText(built.availableAt)} UTC`,
    `sign by  ${secondText(built.expiresAt)} UTC`,
    style.paint(
      'dim',
      `${built.commands.length} commands; --json prints them for your wallet or for sandbox execute`,
    ),
  ].join('\n')
}

/** What speaks against signing it. */
function doubtsIn({ warnings, simulation }: Reply<'buildStake'>): readonly string[] {
  const isRefused = simulation.status === 'aborted' || simulation.status === 'failed'
  const refusal = isRefused
    ? [`The chain would refuse it now: ${simulation.reason ?? 'it does not say why'}`]
    : []
  return [...refusal, ...warnings.map(({ message }) => message)]
}
