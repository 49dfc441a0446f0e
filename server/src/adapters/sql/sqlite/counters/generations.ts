import type { CounterValues } from './counter-rows.ts'

/** Counters that the journal has and the agent's row has not, with the number of their commit. */
type Unfolded = { readonly values: CounterValues; readonly seq: number }

/** What the journal has of a range of commits: the newest counters of each of their agents. */
type Generation = { readonly agents: Map<number, Unfolded>; from: number; upTo: number; commits: number }

/** A generation that is being folded: its agents in the order of their rows, and how many of them are done. */
type Folding = Generation & { readonly queue: Float64Array; done: number }

const newGeneration = (): Generation => ({ agents: new Map(), from: 0, upTo: 0, commits: 0 })

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
    add(seq: number, changed: ReadonlyMap<number, CounterValues>): void {
      if (present.commits === 0) present.from = seq
      present.upTo = seq
      present.commits += 1
      for (const [agentNo, values] of changed) present.agents.set(agentNo, { values, seq })
    },
    /** The agent's row has its newest counters. */
    remove(agentNo: number): void {
      present.agents.delete(agentNo)
      folding?.agents.delete(agentNo)
    },
    isEmpty: (): boolean => present.commits === 0 && folding === undefined,
    present: (): Readonly<Generation> => present,
    folding: (): Readonly<Folding> | undefined => folding,
    /** Folds the present generation from now on, unless the one before is still being folded. */
    turn(): void {
      if (folding || present.commits === 0) return
      folding = { ...present, queue: Float64Array.from(present.agents.keys()).sort(), done: 0 }
      present = newGeneration()
    },
    advance(done: number): void {
      if (folding) folding.done = done
    },
    /** The generation that was being folded is neither in the journal nor needed any more. */
    drop(): void {
      folding = undefined
    },
  }
}
