import { type AuditBatch, agentsIn, chainHash } from './audit-batch.ts'
import { type Mark, NOTHING_YET } from './audit-marks.ts'
import type { AuditSeal } from './audit-seal.ts'
import type { Row, Statement, Step } from './postgres-lane.ts'

const APPEND: Statement = {
  name: 'append-batch',
  text: `insert into audit_batches (seq, day, instance, previous, body, hash) values ($1, $2, $3, $4, $5, $6)`,
}
const APPEND_AGENTS: Statement = {
  name: 'append-agents',
  text: `insert into audit_agents (agent_no, seq, day) select no, $2, $3 from unnest($1::integer[]) as no`,
}
const WRITE_END: Statement = {
  name: 'write-end',
  text: `insert into audit_marks (name, no, hash, mac) values ($1, $2, $3, $4)
    on conflict (name) do update set no = excluded.no, hash = excluded.hash, mac = excluded.mac`,
}
const READ_END: Statement = { name: 'read-end', text: 'select no, hash from audit_marks where name = $1' }

/** Where the chain of an instance ends: how many batches it has, and the hash of the last one. */
export const endMarkName = (instance: string): string => `end ${instance}`

export const endMarkText = (instance: string, { no, hash }: Mark): string =>
  `${endMarkName(instance)}\n${no}\n${hash}`

type Needs = { readonly instance: string; readonly seal: AuditSeal }

/**
 * The end of one instance's chain in the log of all. Each instance seals its own batches, so that none has to wait
 * for another; the numbers of batches are shared, so that a number names one batch.
 */
export function openPostgresChain({ instance, seal }: Needs) {
  let known: Mark | undefined = NOTHING_YET
  return {
    /** What has to be read before appending: nothing, except after a commit of which nobody knows how it ended. */
    readSteps: (): readonly Step[] => (known ? [] : [[READ_END, [endMarkName(instance)]]]),
    learn([row]: readonly Row[]): void {
      known = row ? { no: Number(row['no']), hash: String(row['hash']) } : NOTHING_YET
    },
    append(seq: number, day: number, batch: AuditBatch) {
      const before = known ?? NOTHING_YET
      const body = JSON.stringify(batch)
      const hash = chainHash(before.hash, seq, day, body)
      const end: Mark = { no: before.no + 1, hash }
      const agents = [...agentsIn(batch)]
      const steps: Step[] = [
        [APPEND, [seq, day, instance, before.hash, body, hash]],
        [WRITE_END, [endMarkName(instance), end.no, hash, seal.mac(endMarkText(instance, end))]],
      ]
      if (agents.length > 0) steps.push([APPEND_AGENTS, [agents, seq, day]])
      return { steps, end }
    },
    committed(end: Mark): void {
      known = end
    },
    failed(): void {
      known = undefined
    },
  }
}

export type PostgresChain = ReturnType<typeof openPostgresChain>
