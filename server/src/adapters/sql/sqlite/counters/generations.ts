import type { AgentCounters } from '../../admission/agent-counters.ts'
import type { Slot } from './journal.ts'

/** Counters that the journal has and the agent's row has not, with the number of their commit. */
type Unfolded = { readonly counters: AgentCounters; readonly seq: number }

/** Commits that the journal has, by their slots, and the newest counters of each of their agents. */
type Generation = {
  readonly agents: Map<number, Unfolded>
  readonly slots: Slot[]
  /** How many counters its commits have written: an agent that came several times counts as often. */
  entries: number
}

/** A generation that is being folded: its agents in the order of their rows, and how many of them are done. */
type Folding = Generation & { readonly queue: Float64Array; done: number }

const newGeneration = (): Generation => ({ agents: new Map(), slots: [], entries: 0 })

/**
 * The journal in memory, in two generations: one grows, and the one before is folded. So the rows of many commits are
 * written in their order, several to a page, and of an agent that comes again meanwhile only the newest one.
 */
export function openGenerations() {
  let present = newGeneration()
  let folding: Folding | undefined
  return {
    newest: (agentNo: number): Unfolded | undefined =>
      present.agents.get(agentNo) ?? folding?.agents.get(agentNo),
    add(slot: Slot, seq: number, changed: ReadonlyMap<number, AgentCounters>): void {
      present.slots.push(slot)
      present.entries += changed.size
      for (const [agentNo, counters] of changed) present.agents.set(agentNo, { counters, seq })
    },
    /** The agent's row has its newest counters. */
    remove(agentNo: number): void {
      present.agents.delete(agentNo)
      folding?.agents.delete(agentNo)
    },
    isEmpty: (): boolean => present.slots.length === 0 && folding === undefined,
    present: (): Readonly<Generation> => present,
    folding: (): Readonly<Folding> | undefined => folding,
    /** Folds the present generation from now on, unless the one before is still being folded. */
    turn(): void {
      if (folding || present.slots.length === 0) return
      folding = { ...present, queue: Float64Array.from(present.agents.keys()).sort(), done: 0 }
      present = newGeneration()
    },
    advance(done: number): void {
      if (folding) folding.done = done
    },
    /** Ends the folding of a generation of which nothing is left to do. */
    end(): readonly Slot[] {
      if (!folding || folding.done < folding.queue.length) return []
      const { slots } = folding
      folding = undefined
      return slots
    },
  }
}
