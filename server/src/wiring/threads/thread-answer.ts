import { parentPort } from 'node:worker_threads'
import { Fault } from '../../fault.ts'

/** A refusal is data: an uncaught error would end the thread, and a class does not survive `postMessage`. */
export type ThreadAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  | ({ readonly kind: 'refused' } & Pick<Fault, 'code' | 'message' | 'details' | 'fix' | 'next'>)

/** In a thread: answers each message with a `ThreadAnswer`. */
export function answerMessages<Question>(compute: (question: Question) => unknown): void {
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(() => compute(question))))
}

function answer(compute: () => unknown): ThreadAnswer {
  try {
    return { kind: 'done', result: compute() }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, details, fix, next } = error
    return { kind: 'refused', code, message, details, fix, next }
  }
}
