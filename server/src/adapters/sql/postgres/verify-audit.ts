import pg from 'pg'
import { agentsIn, chainHash, toBatch } from '../audit/batch.ts'
import { CHAINS_MARK, endMarkName, toChainId, withChain } from '../audit/chains.ts'
import { type Mark, markText, NOTHING_YET } from '../audit/marks.ts'
import type { AuditSeal } from '../audit/seal.ts'
import { type AuditVerdict, Broken, toDate } from '../audit/verdict.ts'
import { checkpointHash } from '../sqlite/checkpoints.ts'
import { type ChainCheckpoint, chainCheckpointText, toChainCheckpoint } from './checkpoints.ts'
import { fetchRows, type Row } from './cursor.ts'
import { toStoreFault } from './errors.ts'
import { BEGINNING_MARK, NEWEST_MARK } from './marks.ts'

const CONNECT_MS = 5_000

/**
 * Reads the whole audit log of a Postgres store and checks that nothing was changed, dropped, swapped, added or cut
 * off. It only reads, and may run beside the service: it sees the log as it is at one moment.
 */
export async function verifyPostgresAudit(url: string, seal: AuditSeal): Promise<AuditVerdict> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    return await verifyLog(client, seal)
  } catch (error) {
    throw toStoreFault(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The same within a transaction of the caller. */
export async function verifyLog(client: pg.ClientBase, seal: AuditSeal): Promise<AuditVerdict> {
  try {
    const marks = await verifyMarks(client, seal)
    const checkpoints = await verifyCheckpoints(client, seal, marks)
    const chains = openChains(marks, checkpoints)
    if (!marks.has(CHAINS_MARK) && (await hasCounted(client))) {
      throw new Broken(1, 'requests were counted, but the log is empty')
    }
    const { batches, from, to } = await verifyBatches(client, chains)
    for (const chain of chains.values()) verifyEnd(chain)
    return { kind: 'intact', batches, checkpoints: checkpoints.length, from: toDate(from), to: toDate(to) }
  } catch (error) {
    if (error instanceof Broken) return error.verdict
    throw error
  }
}

type Marks = ReadonlyMap<string, Mark>

/** Checks every mark, and that the chains that have one are all that there were. */
async function verifyMarks(client: pg.ClientBase, seal: AuditSeal): Promise<Marks> {
  const marks = new Map<string, Mark>()
  let chains = NOTHING_YET
  for await (const row of fetchRows(client, 'marks', 'select name, no, hash, mac from audit_marks')) {
    const name = String(row['name'])
    const mark = { no: Number(row['no']), hash: String(row['hash']) }
    if (!seal.isMac(markText(name, mark), String(row['mac']))) throw new Broken(0, `mark ${name} was changed`)
    marks.set(name, mark)
    const chain = toChainId(name)
    if (chain) chains = withChain(chains, chain, seal)
  }
  const known = marks.get(CHAINS_MARK) ?? NOTHING_YET
  if (chains.no !== known.no || chains.hash !== known.hash)
    throw new Broken(0, 'a chain of the log is missing')
  return marks
}

/** Checks the checkpoints among themselves. */
async function verifyCheckpoints(
  client: pg.ClientBase,
  seal: AuditSeal,
  marks: Marks,
): Promise<readonly ChainCheckpoint[]> {
  const checkpoints: ChainCheckpoint[] = []
  let last = marks.get(BEGINNING_MARK) ?? NOTHING_YET
  for await (const row of fetchRows(client, 'signed', 'select * from audit_checkpoints order by no')) {
    const checkpoint = toChainCheckpoint(row)
    const { no, firstSeq, previous, hash, signature } = checkpoint
    const broken = (reason: string) => new Broken(firstSeq, `checkpoint ${no} ${reason}`)
    const text = chainCheckpointText(checkpoint)
    if (hash !== checkpointHash(text)) throw broken('was changed')
    if (!seal.isSigned(text, signature)) throw broken('is not signed by this service')
    if (no !== last.no + 1 || previous !== last.hash) throw broken('does not follow the one before it')
    last = { no, hash }
    checkpoints.push(checkpoint)
  }
  const newest = marks.get(NEWEST_MARK) ?? NOTHING_YET
  if (last.no !== newest.no || last.hash !== newest.hash) {
    throw new Broken((checkpoints.at(-1)?.lastSeq ?? 0) + 1, 'the last checkpoints are missing')
  }
  return checkpoints
}

/** A chain while it is read. */
type Chain = {
  readonly end: Mark
  /** The stretches that were signed, oldest first, as far as their batches were not met yet. */
  readonly unmet: ChainCheckpoint[]
  last: Mark
  lastSeq: number
  /** The last batch of the stretches that were met. */
  signedSeq: number
}

function openChains(marks: Marks, checkpoints: readonly ChainCheckpoint[]): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>()
  for (const [name, end] of marks) {
    if (toChainId(name)) chains.set(name, { end, unmet: [], last: NOTHING_YET, lastSeq: 0, signedSeq: 0 })
  }
  // Those of days that were dropped only lead to the next.
  for (const checkpoint of checkpoints) chains.get(endMarkName(checkpoint))?.unmet.push(checkpoint)
  return chains
}

async function verifyBatches(client: pg.ClientBase, chains: ReadonlyMap<string, Chain>) {
  const agents = openAgentIndex(client)
  let batches = 0
  let from: number | undefined
  let to: number | undefined
  const question =
    'select seq, day, instance, place, previous, body, hash from audit_batches order by day, seq'
  for await (const row of fetchRows(client, 'batches', question)) {
    const day = Number(row['day'])
    const seq = Number(row['seq'])
    const chain = chains.get(endMarkName({ day, instance: String(row['instance']) }))
    if (!chain) throw new Broken(seq, `batch ${seq} belongs to no chain`)
    verifyBatch(chain, row)
    const expected = [...agentsIn(toBatch(String(row['body'])))].sort((a, b) => a - b)
    if ((await agents.upTo(day, seq)) !== expected.join()) {
      throw new Broken(seq, `the index of agents for batch ${seq} was changed`)
    }
    batches += 1
    from ??= day
    to = day
  }
  if ((await agents.upTo(Number.MAX_SAFE_INTEGER, 0)) !== '') {
    throw new Broken(0, 'the index of agents was added to')
  }
  return { batches, from, to }
}

function verifyBatch(chain: Chain, row: Row): void {
  const seq = Number(row['seq'])
  const { last } = chain
  if (Number(row['place']) !== last.no + 1 || row['previous'] !== last.hash) {
    throw new Broken(seq, `what comes before batch ${seq} is missing`)
  }
  const hash = chainHash(last.hash, seq, Number(row['day']), String(row['body']))
  if (row['hash'] !== hash) throw new Broken(seq, `batch ${seq} was changed, or is not in its place`)
  verifySigned(chain, seq, hash)
  chain.last = { no: last.no + 1, hash }
  chain.lastSeq = seq
}

/** Checkpoints cover a chain from its first batch on, without gaps. */
function verifySigned(chain: Chain, seq: number, hash: string): void {
  const [signed] = chain.unmet
  if (!signed) return
  const isFirst = chain.lastSeq === chain.signedSeq
  if (isFirst && seq !== signed.firstSeq)
    throw new Broken(seq, `checkpoint ${signed.no} signs for other batches`)
  if (seq < signed.lastSeq) return
  if (seq !== signed.lastSeq || hash !== signed.root) {
    throw new Broken(seq, `batch ${seq} is not the one that was signed`)
  }
  chain.unmet.shift()
  chain.signedSeq = seq
}

function verifyEnd({ end, last, lastSeq, unmet }: Chain): void {
  if (last.no < end.no) throw new Broken(lastSeq + 1, `the last ${end.no - last.no} batches are missing`)
  if (last.no > end.no) throw new Broken(lastSeq, 'there are batches after the end of a chain')
  if (last.hash !== end.hash) throw new Broken(lastSeq, 'the end of a chain was changed')
  const [unseen] = unmet
  if (unseen) throw new Broken(unseen.firstSeq, 'a checkpoint signs for batches that are missing')
}

/** The agents of each batch as the index has them; to be asked in the order of the batches. */
function openAgentIndex(client: pg.ClientBase) {
  const question = 'select agent_no, seq, day from audit_agents order by day, seq, agent_no'
  const rows = fetchRows(client, 'agents', question)
  let next: IteratorResult<Row, undefined> | undefined
  return {
    async upTo(day: number, seq: number): Promise<string> {
      const agents: number[] = []
      next ??= await rows.next()
      while (!next.done && isUpTo(next.value, day, seq)) {
        agents.push(Number(next.value['agent_no']))
        next = await rows.next()
      }
      return agents.join()
    },
  }
}

const isUpTo = (row: Row, day: number, seq: number): boolean =>
  Number(row['day']) < day || (Number(row['day']) === day && Number(row['seq']) <= seq)

/** Whoever was admitted was counted and logged in one commit. */
async function hasCounted(client: pg.ClientBase): Promise<boolean> {
  const question = 'select 1 from agent_activity union all select 1 from user_activity limit 1'
  return ((await client.query(question)).rowCount ?? 0) > 0
}
