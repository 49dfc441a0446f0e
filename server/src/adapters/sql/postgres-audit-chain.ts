import { type AuditBatch, agentsIn, chainHash } from './audit-batch.ts'
import { type Mark, markText, NOTHING_YET } from './audit-marks.ts'
import type { AuditSeal } from './audit-seal.ts'
import { turnStatement } from './engine.ts'
import { CHAINS_MARK, type ChainId, endMarkName, withChain } from './postgres-chain-set.ts'
import { listOf, type Statement, type Step } from './postgres-round-trip.ts'

/** A place is taken once: of two commits that began from the same end, because one was given up, one fails. */
const APPEND: Statement = {
  name: 'append-batch',
  text: `insert into audit_batches (seq, day, instance, place, previous, body, hash)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}
const APPEND_AGENTS: Statement = {
  name: 'append-agents',
  text: `insert into audit_agents (agent_no, seq, day) select no, $2, $3 from unnest($1::integer[]) as no`,
}
const WRITE_MARK: Statement = {
  name: 'write-mark',
  text: `insert into audit_marks (name, no, hash, mac) values ($1, $2, $3, $4)
    on conflict (name) do update set no = excluded.no, hash = excluded.hash, mac = excluded.mac`,
}
const LOCK_CHAINS: Statement = { name: 'lock-chains', text: turnStatement('audit chains') }
const READ_MARK: Statement = {
  name: 'read-mark',
  text: 'select json_build_array(no, hash) from audit_marks where name = $1',
}

type Known = {
  readonly day: number
  readonly end: Mark
  /** The chains there are besides, if this one is not among them yet. */
  readonly others: Mark | undefined
}

type Needs = { readonly instance: string; readonly seal: AuditSeal }

/** The end of this instance's chain in the log of all. The numbers of batches are shared: a number names one batch. */
export function openPostgresChain({ instance, seal }: Needs) {
  let known: Known | undefined
  const chainOf = (day: number): ChainId => ({ instance, day })
  const writeMark = (name: string, mark: Mark): Step => [
    WRITE_MARK,
    [name, mark.no, mark.hash, seal.mac(markText(name, mark))],
  ]
  return {
    /** False at the first batch of a day, and after a commit of which nobody knows how it ended. */
    knows: (day: number): boolean => known?.day === day,
    /** What has to be read before appending to a chain that is not known. */
    readSteps: (day: number): readonly Step[] => [
      [LOCK_CHAINS, []],
      [READ_MARK, [endMarkName(chainOf(day))]],
      [READ_MARK, [CHAINS_MARK]],
    ],
    /** From the answers to `readSteps`. */
    learn(day: number, [, end, chains]: readonly unknown[]): void {
      const others = end ? undefined : toMark(chains)
      known = { day, end: toMark(end), others }
    },
    append(seq: number, day: number, batch: AuditBatch) {
      const { end: before, others } = known ?? { end: NOTHING_YET, others: undefined }
      const body = JSON.stringify(batch)
      const hash = chainHash(before.hash, seq, day, body)
      const end: Mark = { no: before.no + 1, hash }
      const agents = [...agentsIn(batch)]
      const steps: Step[] = [
        [APPEND, [seq, day, instance, end.no, before.hash, body, hash]],
        writeMark(endMarkName(chainOf(day)), end),
      ]
      if (agents.length > 0) steps.push([APPEND_AGENTS, [listOf(agents), seq, day]])
      if (others) steps.push(writeMark(CHAINS_MARK, withChain(others, chainOf(day), seal)))
      return { steps, end }
    },
    committed(day: number, end: Mark): void {
      known = { day, end, others: undefined }
    },
    failed(): void {
      known = undefined
    },
  }
}

/** Guaranteed by the statement. */
function toMark(answer: unknown): Mark {
  const [no, hash] = (answer ?? [NOTHING_YET.no, NOTHING_YET.hash]) as [no: number, hash: string]
  return { no, hash }
}

export type PostgresChain = ReturnType<typeof openPostgresChain>
