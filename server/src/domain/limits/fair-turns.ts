import { Fault } from '../../fault.ts'

/** Runs `work` when it is the turn of `caller`. */
export type FairTurns = <T>(caller: string, work: () => Promise<T>) => Promise<T>

export type TurnRules = {
  /** The limit of jobs that run at a time. */
  readonly atOnce: number
  /** The limits of waiting requests: per caller, and of all callers together. */
  readonly waitingOfEach: number
  readonly waiting: number
}

type Waiting = { readonly begin: () => void; readonly refuse: () => void }

/** A fair queue: at most `atOnce` run at a time, and callers take turns, however many requests each has queued. */
export function fairTurns(
  { atOnce, waitingOfEach, waiting: most }: TurnRules,
  refusal: () => Fault = overloaded,
): FairTurns {
  /** In the order of their turns. */
  const queues = new Map<string, Waiting[]>()
  let working = 0
  let waiting = 0

  function wait(caller: string): Promise<void> {
    const queue = queues.get(caller) ?? []
    if (queue.length >= waitingOfEach) throw refusal()
    if (waiting >= most && !makeRoom(queue.length)) throw refusal()
    return new Promise((begin, reject) => {
      waiting += 1
      queue.push({ begin, refuse: () => reject(refusal()) })
      queues.set(caller, queue)
    })
  }

  /**
   * Drops the newest request of the caller with the longest queue, if that is longer than the newcomer's would be.
   */
  function makeRoom(own: number): boolean {
    const longest = [...queues.values()].reduce((most, queue) => (queue.length > most.length ? queue : most))
    if (longest.length <= own + 1) return false
    longest.pop()?.refuse()
    waiting -= 1
    return true
  }

  function startNext(): void {
    const [first] = queues
    if (!first) {
      working -= 1
      return
    }
    const [caller, queue] = first
    const next = queue.shift()
    queues.delete(caller)
    if (queue.length > 0) queues.set(caller, queue)
    waiting -= 1
    next?.begin()
  }

  return async (caller, work) => {
    if (working < atOnce) working += 1
    else await wait(caller)
    try {
      return await work()
    } finally {
      startNext()
    }
  }
}

/** A separate queue for each caller: one job per caller runs at a time, and no caller waits for others. */
export function queuePerCaller(waiting: number, refusal?: () => Fault): FairTurns {
  const queues = new Map<string, { readonly inTurn: FairTurns; asked: number }>()
  const open = () => ({
    inTurn: fairTurns({ atOnce: 1, waitingOfEach: waiting, waiting }, refusal),
    asked: 0,
  })
  return async (caller, work) => {
    const queue = queues.get(caller) ?? open()
    queues.set(caller, queue)
    queue.asked += 1
    try {
      return await queue.inTurn(caller, work)
    } finally {
      queue.asked -= 1
      if (queue.asked === 0) queues.delete(caller)
    }
  }
}

const overloaded = () =>
  new Fault('service_overloaded', 'Too many such requests wait already. Try again in some seconds.', {
    retryAfterSeconds: 2,
  })
