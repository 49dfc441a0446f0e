import { type ChainCheckpoint, chainCheckpointText } from '#adapters/sql/postgres-checkpoints.ts'
import { openPostgresSampleLog } from '../limits/postgres-sample-log.ts'
import { auditUpkeepSuite } from './audit-upkeep.ts'

auditUpkeepSuite('Postgres', {
  open: openPostgresSampleLog,
  // Guaranteed by the job: the line is the checkpoint.
  textOf: (line) => chainCheckpointText(line as unknown as ChainCheckpoint),
  checkpointsKept: 0,
})
