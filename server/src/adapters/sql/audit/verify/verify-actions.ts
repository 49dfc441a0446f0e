import type { Selectable } from 'kysely'
import type { Anchored } from '#ports/stores/audit-anchor.ts'
import type { Schema } from '../../schema.ts'
import { actionMac, CHAIN_START } from '../../stores/agent-actions.ts'
import { type Digests, type StoredRows, toRows } from '../stored-rows.ts'
import { Broken } from './verdict.ts'

type Row = Selectable<Schema['agent_actions']>

/** Throws at the first action that was changed or follows a missing one. `known`: those of anchors and checkpoints. */
export async function verifyActions(
  rows: StoredRows,
  secrets: Digests,
  known: readonly Anchored[],
): Promise<void> {
  const anchored = Map.groupBy(
    known.filter(({ no }) => no > 0),
    ({ no }) => no,
  )
  let previous = CHAIN_START
  for (const { mac, no, ...content } of toRows<Row>(await rows.read('agent_actions', { order: 'no' }))) {
    if (content.previous !== previous) throw broken(no, 'does not follow the one before it')
    if (actionMac(secrets, content) !== mac) throw broken(no, 'was changed')
    if (anchored.get(no)?.some(({ hash }) => hash !== mac))
      throw broken(no, 'is not the one that was anchored')
    anchored.delete(no)
    previous = mac
  }
  const [missing] = anchored.keys()
  if (missing !== undefined) throw broken(missing, 'was anchored and is missing')
}

const broken = (no: number, what: string) => new Broken(no, `the management action ${no} ${what}`)
