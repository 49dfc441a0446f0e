import type { AgentCounters } from '../../admission/agent-counters.ts'
import type { Slot } from './journal.ts'

/** Counters that are in the journal but not yet in the agent's row, with the number of their commit. */
type Unfolded = { readonly counters: AgentCounters; readonly seq: number }

/** The slots of commits in the journal, and the newest counters of each of their agents. */
type Generation = {
  readonly agents: Map<number, Unfolded>
  readonly slots: Slot[]
  /** The number of counters that its commits have written. An agent counts once for each of its commits. */
  entries: number
}

/** A generation that is being folded: its agents in the order of their rows, and the number of those that are done. */
type Folding = Generation & { readonly queue: Float64Array; done: number }

const newGeneration = (): Generation => ({ agents: new Map(), slots: [], entries: 0 })

/**
 * The journal in memory, in two generations: the newer one grows while the older one is folded. So the rows of many
 * commits are written in table order, several to a page, and only the newest counters of an agent are written.
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
    /** Call it when the agent's row has the newest counters. */
    remove(agentNo: number): void {
      present.agents.delete(agentNo)
      folding?.agents.delete(agentNo)
    },
    isEmpty: (): boolean => present.slots.length === 0 && folding === undefined,
    present: (): Readonly<Generation> => present,
    folding: (): Readonly<Folding> | undefined => folding,
    /** Starts folding the present generation, unless the older one is still being folded. */
    turn(): void {
      if (folding || present.slots.length === 0) return
      folding = { ...present, queue: Float64Array.from(present.agents.keys()).sort(), done: 0 }
      present = newGeneration()
    },
    advance(done: number): void {
      if (folding) folding.done = done
    },
    /** Ends the folding of a generation without remaining entries. */
    end(): readonly Slot[] {
      if (!folding || folding.done < folding.queue.length) return []
      const { slots } = folding
      folding = undefined
      return slots
    },
  }
}
