import { readFile } from 'node:fs/promises'
import type { HistoryEpoch, HistoryRow } from '../read-history.ts'

/** In epochs: a young network is still handing out its first stakes. */
const SETTLING = 24

/** `validator,epoch,stake,…` (smallest units) with gaps: what was last seen goes on. All validators work alike. */
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
