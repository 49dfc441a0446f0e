import { readFile } from 'node:fs/promises'
import type { HistoryEpoch, HistoryRow } from '../read-history.ts'

/** The epochs skipped at the start, while the stakes of a new network are still being distributed. */
const SETTLING = 24

/** Reads `validator,epoch,stake,…` (smallest units). Gaps repeat the last value; all validators perform the same. */
export async function readStakes(path: string): Promise<readonly HistoryEpoch[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n').slice(1)
  const byEpoch = Map.groupBy(
    lines.map((line) => line.split(',')),
    ([, epoch]) => Number(epoch),
  )
  const last = new Map<string, HistoryRow>()
  const epochs = [...byEpoch].toSorted(([a], [b]) => a - b)
  const filled = epochs.map(([epoch, cells]): HistoryEpoch => {
    for (const [validator = '', , stake = ''] of cells) {
      last.set(validator, { validator, stake: BigInt(stake), commission: 0, uptime: 1, apy: 0 })
    }
    return { epoch, rows: new Map(last), outside: [] }
  })
  return filled.slice(SETTLING)
}
