import type { Reply } from '@stakewright/contract'
import { Refusal } from '../command.ts'

type Abort = NonNullable<Reply<'sandboxExecute'>['abort']>

/** The contract refused a transaction of the sandbox: the call was answered, but what was asked for did not happen. */
export class Aborted extends Refusal {
  readonly abort: Abort

  constructor(abort: Abort) {
    const { module, name, message } = abort
    super(
      'aborted',
      `The contract refused, and nothing changed: ${message} (${module}::${name})`,
      'Build a transaction that the contract accepts, and execute that: `stakewright positions OWNER` shows the tokens as they are now.',
    )
    this.abort = abort
  }
}
