import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/** The record of one validator in one epoch. */
export type HistoryRow = {
  readonly validator: string
  readonly stake: bigint
  /** A fraction, as are uptime and APY. */
  readonly commission: number
  /** Undefined if the file has no value. */
  readonly uptime: number | undefined
  readonly apy: number
}

export type HistoryEpoch = {
  readonly epoch: number
  readonly rows: ReadonlyMap<string, HistoryRow>
  /** Validators outside the committee. */
  readonly outside: readonly HistoryRow[]
}

const COLUMNS = ['epoch', 'validator', 'stake', 'commission', 'uptime', 'apy'] as const

/** Reads `epoch,validator,stake,commission,uptime,…,apy` (commission in percent), plain or gzipped, by epoch. */
export async function readHistory(path: string): Promise<readonly HistoryEpoch[]> {
  const bytes = await readFile(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const [header = '', ...lines] = text.split('\n')
  const places = COLUMNS.map((column) => header.trim().split(',').indexOf(column))
  const missing = COLUMNS.filter((_, index) => places[index] === -1)
  if (missing.length > 0) throw new Error(`${path} has no column ${missing.join(', ')}.`)

  const epochs = new Map<number, Map<string, HistoryRow>>()
  for (const line of lines) {
    if (line.trim() === '') continue
    const cells = line.trim().split(',')
    const [epoch = '', validator = '', stake = '', commission = '', uptime = '', apy = ''] = places.map(
      (place) => cells[place] ?? '',
    )
    const rows = epochs.get(Number(epoch)) ?? new Map<string, HistoryRow>()
    epochs.set(Number(epoch), rows)
    rows.set(validator, {
      validator,
      stake: BigInt(stake),
      commission: Number(commission) / 100,
      uptime: uptime === '' ? undefined : Number(uptime),
      apy: Number(apy),
    })
  }
  return [...epochs].toSorted(([a], [b]) => a - b).map(([epoch, rows]) => ({ epoch, rows, outside: [] }))
}
