import type { Reply } from '@stakewright/contract'
import { minuteText, secondText } from './figures.ts'
import type { Style } from './style.ts'

/** A transaction to sign, as people see it. */
export function builtView(built: Reply<'buildStake'>, style: Style): string {
  return [
    style.paint('bold', built.summary),
    ...built.warnings.map(({ message }) => style.paint('yellow', message)),
    `call     ${built.target}`,
    `from     epoch ${built.availableAtEpoch}, about ${minuteText(built.availableAt)} UTC`,
    `sign by  ${secondText(built.expiresAt)} UTC`,
    style.paint('dim', `--json prints the commands for your wallet or for sandbox execute`),
  ].join('\n')
}
