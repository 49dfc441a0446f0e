import { Refusal } from '../command.ts'
import { isObject } from '../render/generic-view.ts'

/** The contract refused a transaction of the sandbox: the call was answered, but what was asked for did not happen. */
export class Aborted extends Refusal {
  readonly abort: unknown

  constructor(abort: Readonly<Record<string, unknown>>) {
    const { module, name, message } = abort
    super('aborted', `The contract refused, and nothing changed: ${message} (${module}::${name})`)
    this.abort = abort
  }
}

export function refuseAborted(reply: unknown): void {
  if (isObject(reply) && reply['status'] === 'aborted' && isObject(reply['abort'])) {
    throw new Aborted(reply['abort'])
  }
}
