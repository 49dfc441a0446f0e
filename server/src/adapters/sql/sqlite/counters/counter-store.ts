import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { type CounterValues, openCounterRows, toValues } from './counter-rows.ts'
import { openGenerations } from './generations.ts'

export type JournalSizes = {
  /** A commit that changes no more agents than this writes their rows at once. */
  readonly fewAgents: number
  /** A generation is folded when it has so many agents, or so many commits. */
  readonly agents: number
  readonly commits: number
  /** Rows that a commit folds at least. */
  readonly folded: number
}

/**
 * 100,000 agents have about 6,000 pages of rows; of 16,384 of them, three share a page. After a crash at most about two
 * generations are folded before the service starts: 1,024 commits, or the rows of 32,768 agents.
 */
const SIZES: JournalSizes = { fewAgents: 16, agents: 16_384, commits: 512, folded: 32 }
/** Rows folded for each agent that a commit changes: a generation is folded before the next one is full. */
const FOLDED_PER_CHANGE = 2
/** To drop a commit from the journal takes about as long as to fold so many rows. */
const ROWS_PER_DROP = 8

/** What becomes true with the commit of the present transaction. */
type Pending = {
  readonly seq?: number
  readonly written: readonly number[]
  readonly journaled: ReadonlyMap<number, CounterValues>
  readonly done: number
  readonly isDropped: boolean
}

const NOTHING = { written: [], journaled: new Map() } as const
const NOT_FOLDING = { done: 0, isDropped: false }

/**
 * Counters of agents. A commit of many agents would write a page for each of their rows, so it writes one row into the
 * journal, and each commit folds some of the journal into the rows. A commit of few agents writes their rows, and so
 * does an agent's first one. Everything is written inside the caller's transaction.
 */
export function openCounterStore(database: DatabaseSync, chosen?: Partial<JournalSizes>) {
  const sizes = { ...SIZES, ...chosen }
  const rows = openCounterRows(database)
  const generations = openGenerations()
  let pending: Pending = { ...NOTHING, ...NOT_FOLDING }

  function fold(count: number): Pick<Pending, 'done' | 'isDropped'> {
    const folding = generations.folding()
    if (!folding) return NOT_FOLDING
    const { queue, done, from, upTo } = folding
    if (done === queue.length) {
      const most = Math.ceil(count / ROWS_PER_DROP)
      return { done, isDropped: rows.drop(from, upTo, most) < most }
    }
    const next = queue.subarray(done, done + count)
    for (const agentNo of next) {
      const unfolded = folding.agents.get(agentNo)
      // What the next generation has as well is folded with it.
      if (unfolded && !generations.present().agents.has(agentNo))
        rows.write(agentNo, unfolded.values, unfolded.seq)
    }
    return { done: done + next.length, isDropped: false }
  }

  return {
    /** Counters that are newer than the agent's row. */
    newest: (agentNo: number): CounterValues | undefined => generations.newest(agentNo)?.values,
    isFolded: generations.isEmpty,
    /** Writes the counters that a commit changes. `isNew`: the agent has no row. */
    write(
      seq: number,
      changed: ReadonlyMap<number, AgentCounters>,
      isNew: (agentNo: number) => boolean,
    ): void {
      // Before the changes: what is folded is older.
      const folded = fold(Math.max(sizes.folded, FOLDED_PER_CHANGE * changed.size))
      const isMany = changed.size > sizes.fewAgents
      const [written, journaled] = [[] as number[], new Map<number, CounterValues>()]
      for (const [agentNo, counters] of changed) {
        if (isMany && !isNew(agentNo)) journaled.set(agentNo, toValues(counters))
        else {
          rows.write(agentNo, toValues(counters), seq)
          written.push(agentNo)
        }
      }
      if (journaled.size > 0) rows.append(seq, journaled)
      pending = { seq, written, journaled, ...folded }
    },
    /** Folds the next rows without waiting for a generation to be full. */
    foldMore(count: number): void {
      generations.turn()
      pending = { ...NOTHING, ...fold(count) }
    },
    committed(): void {
      const { seq, written, journaled, done, isDropped } = pending
      generations.advance(done)
      if (isDropped) generations.drop()
      for (const agentNo of written) generations.remove(agentNo)
      if (seq !== undefined && journaled.size > 0) generations.add(seq, journaled)
      const { agents, commits } = generations.present()
      if (agents.size >= sizes.agents || commits >= sizes.commits) generations.turn()
      pending = { ...NOTHING, ...NOT_FOLDING }
    },
  }
}

export type CounterStore = ReturnType<typeof openCounterStore>
