import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { openCounterRows } from './counter-rows.ts'
import { openGenerations } from './generations.ts'
import { openJournal, type Slot } from './journal.ts'

export type JournalSizes = {
  /** A commit that would change at most this many pages writes the rows directly. */
  readonly pages: number
  readonly rowsPerPage: number
  /** A generation is folded once it has this many agents, counters or commits. */
  readonly agents: number
  readonly entries: number
  readonly commits: number
  /** The minimum number of rows that a commit folds. */
  readonly folded: number
}

/**
 * A page has 15 to 20 rows. 100,000 agents have about 6,000 pages: of 16,384 agents, three share one. After a crash
 * about two generations are folded before the service starts: at most 1,024 commits with 131,072 counters.
 */
const SIZES: JournalSizes = {
  pages: 8,
  rowsPerPage: 16,
  agents: 16_384,
  entries: 65_536,
  commits: 512,
  folded: 32,
}
/** Rows folded for each agent that a commit changes: a generation is folded before the next one is full. */
const FOLDED_PER_CHANGE = 2
/** The changes that are applied to memory once the present transaction has committed. */
type Pending = {
  readonly written: readonly number[]
  readonly journaled: ReadonlyMap<number, AgentCounters>
  readonly slot: Slot | undefined
  readonly seq: number
  /** The new position in the queue of the generation that is being folded. */
  readonly done: number
  readonly isEmptied: boolean
}

const NOTHING: Pending = {
  written: [],
  journaled: new Map(),
  slot: undefined,
  seq: 0,
  done: 0,
  isEmptied: false,
}

/**
 * Counters of agents. A commit whose agents have rows on many pages would write all these pages. So it writes one row
 * into the journal instead, and each commit folds some of the journal into the rows. Other commits write the rows
 * directly, and so does the first commit of an agent. Everything is written inside the caller's transaction.
 */
export function openCounterStore(database: DatabaseSync, chosen?: Partial<JournalSizes>) {
  const sizes = { ...SIZES, ...chosen }
  const rows = openCounterRows(database)
  const journal = openJournal(database)
  const generations = openGenerations()
  let pending = NOTHING
  let journaledCommits = 0

  /** Writes the next rows of the generation that is being folded. Returns the new position in its queue. */
  function fold(count: number): number {
    const folding = generations.folding()
    if (!folding) return 0
    const next = folding.queue.subarray(folding.done, folding.done + count)
    for (const agentNo of next) {
      const unfolded = folding.agents.get(agentNo)
      // Agents that the next generation also has are skipped: they are folded with that one.
      if (unfolded && !generations.present().agents.has(agentNo))
        rows.write(agentNo, unfolded.counters, unfolded.seq)
    }
    return folding.done + next.length
  }

  function isScattered(changed: ReadonlyMap<number, AgentCounters>): boolean {
    if (changed.size <= sizes.pages) return false
    const pages = new Set<number>()
    for (const agentNo of changed.keys()) pages.add(Math.floor(agentNo / sizes.rowsPerPage))
    return pages.size > sizes.pages
  }

  return {
    /** Counters that are newer than the agent's row. */
    newest: (agentNo: number): AgentCounters | undefined => generations.newest(agentNo)?.counters,
    isFolded: journal.isEmpty,
    journaledCommits: (): number => journaledCommits,
    /** Writes the counters that a commit changes. `isNew`: the agent has no row. */
    write(
      seq: number,
      changed: ReadonlyMap<number, AgentCounters>,
      isNew: (agentNo: number) => boolean,
    ): void {
      // Before the changes are written, because folded counters are older.
      const done = fold(Math.max(sizes.folded, FOLDED_PER_CHANGE * changed.size))
      const isJournaled = isScattered(changed)
      const [written, journaled] = [[] as number[], new Map<number, AgentCounters>()]
      for (const [agentNo, counters] of changed) {
        if (isJournaled && !isNew(agentNo)) journaled.set(agentNo, counters)
        else {
          rows.write(agentNo, counters, seq)
          written.push(agentNo)
        }
      }
      const slot = journaled.size > 0 ? journal.append(seq, journaled) : undefined
      pending = { ...NOTHING, seq, written, journaled, slot, done }
    },
    /** Folds the next rows, even if no generation is full. When all are folded, empties the journal. */
    foldMore(count: number): void {
      generations.turn()
      const isEmptied = generations.folding() === undefined
      if (isEmptied) journal.empty()
      pending = { ...NOTHING, done: fold(count), isEmptied }
    },
    committed(): void {
      const { seq, written, journaled, slot, done, isEmptied } = pending
      pending = NOTHING
      if (isEmptied) journal.emptied()
      for (const agentNo of written) generations.remove(agentNo)
      if (slot) {
        journaledCommits += 1
        journal.take(slot)
        generations.add(slot, seq, journaled)
      }
      generations.advance(done)
      journal.release(generations.end())
      const { agents, entries, slots } = generations.present()
      if (agents.size >= sizes.agents || entries >= sizes.entries || slots.length >= sizes.commits)
        generations.turn()
    },
  }
}

export type CounterStore = ReturnType<typeof openCounterStore>
