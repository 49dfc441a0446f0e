import { Fault } from '../../fault.ts'
import { type Caller, turnOrder } from './turn-order.ts'

/** Runs `work` when it is the turn of `caller`. */
export type FairTurns = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>

export type TurnRules = {
  /** The limit of jobs that run at a time. */
  readonly atOnce: number
  /** The limits of waiting requests: per member, and of all callers together. */
  readonly waitingOfEach: number
  readonly waiting: number
}

type Waiting = { readonly begin: () => void; readonly refuse: () => void }

/**
 * A fair queue: at most `atOnce` run at a time. Groups of callers take turns, and within a group its members, however
 * many requests each has queued. A full queue drops the newest request of whoever has the most for a newcomer with fewer.
 */
export function fairTurns(
  { atOnce, waitingOfEach, waiting: most }: TurnRules,
  refusal: () => Fault = overloaded,
): FairTurns {
  const waiting = turnOrder<Waiting>()
  let working = 0

  function wait(caller: Caller): Promise<void> {
    if (waiting.countOf(caller) >= waitingOfEach) throw refusal()
    if (waiting.size() >= most) makeRoomFor(caller)
    return new Promise((begin, reject) => waiting.add(caller, { begin, refuse: () => reject(refusal()) }))
  }

  function makeRoomFor(newcomer: Caller): void {
    const displaced = waiting.displaceFor(newcomer)
    if (!displaced) throw refusal()
    displaced.refuse()
  }

  function startNextAfter(caller: Caller): void {
    waiting.endTurn(caller)
    const next = waiting.takeNext()
    if (next) next.begin()
    else working -= 1
  }

  return async (caller, work) => {
    if (working < atOnce) working += 1
    else await wait(caller)
    try {
      return await work()
    } finally {
      startNextAfter(caller)
    }
  }
}

/** Runs `work` when all earlier work of `caller` has ended. */
type QueuePerCaller = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/** A separate queue for each caller: one job per caller runs at a time, and no caller waits for others. */
export function queuePerCaller(waiting: number, refusal?: () => Fault): QueuePerCaller {
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
      return await queue.inTurn({ group: caller, member: caller }, work)
    } finally {
      queue.asked -= 1
      if (queue.asked === 0) queues.delete(caller)
    }
  }
}

const overloaded = () =>
  new Fault(
    'service_overloaded',
    'Too many requests of this kind are waiting already. Try again in a few seconds.',
    {
      retryAfterSeconds: 2,
    },
  )
