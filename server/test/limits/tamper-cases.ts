import { chainHash } from '#adapters/sql/audit/batch.ts'
import { checkpointHash, checkpointText, toCheckpoint } from '#adapters/sql/audit/checkpoint.ts'
import type { IndexEntry, Intruder, LoggedBatch } from './intruder.ts'

export type Tampering = {
  readonly name: string
  readonly change: (log: Intruder, chance: Chance) => Promise<void>
}
export type Chance = (below: number) => number

const EMPTY = '{"i":[],"o":[],"r":[]}'

/** Pseudo-random numbers: the same seed gives the same draws. */
export function chanceFrom(seed: number): Chance {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

function pick<T>(items: readonly T[], chance: Chance): T {
  const item = items[chance(items.length)]
  if (item === undefined) throw new Error('there is nothing to change')
  return item
}

/** Replaces one letter or digit by a digit, so that the text still looks plausible. */
function flip(text: string, chance: Chance): string {
  const places = [...text.matchAll(/[0-9a-z]/g)].map(({ index }) => index)
  const at = pick(places, chance)
  return `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`
}

/** Seals a chain anew from the given batch on, as this program would. */
async function reseal(log: Intruder, { end, place }: LoggedBatch): Promise<void> {
  const chain = (await log.batches()).filter((batch) => batch.end === end)
  let previous = chain.findLast((batch) => batch.place < place)?.hash ?? '0'.repeat(64)
  for (const batch of chain.filter((each) => each.place >= place)) {
    const sealed = chainHash(previous, batch.seq, batch.day, batch.body)
    await log.replace({ ...batch, hash: sealed })
    previous = sealed
  }
}

const IS_GONE = {
  '=': (seq: number, given: number) => seq === given,
  '<=': (seq: number, given: number) => seq <= given,
  '>=': (seq: number, given: number) => seq >= given,
}

async function removeBatches(log: Intruder, which: keyof typeof IS_GONE, seq: number): Promise<void> {
  await log.run(`delete from audit_batches where seq ${which} ?`, seq)
  await log.changeIndex((entry) => (IS_GONE[which](entry.seq, seq) ? undefined : entry))
}

const CHECKPOINT_FIELDS = ['first_seq', 'last_seq', 'day', 'at', 'root', 'previous', 'hash', 'signature']

function changeCheckpoint(field: string): Tampering {
  return {
    name: `change ${field} of a checkpoint`,
    async change(log, chance) {
      const row = pick(await log.read(`select no, ${field} as value from audit_checkpoints`), chance)
      const { value } = row
      const changed =
        typeof value === 'string' && !/^\d+$/.test(value) ? flip(value, chance) : Number(value) + 1
      await log.run(`update audit_checkpoints set ${field} = ? where no = ?`, changed, Number(row['no']))
    },
  }
}

export const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'flip a character of a batch',
    async change(log, chance) {
      const batch = pick(await log.batches(), chance)
      await log.replace({ ...batch, body: flip(batch.body, chance) })
    },
  },
  {
    name: 'flip a character of a hash',
    async change(log, chance) {
      const batch = pick(await log.batches(), chance)
      await log.replace({ ...batch, hash: flip(batch.hash, chance) })
    },
  },
  {
    name: 'move a batch to another day',
    async change(log, chance) {
      const batch = pick(await log.batches(), chance)
      await log.replace({ ...batch, day: batch.day - 1 - chance(100) })
    },
  },
  {
    name: 'change a batch and seal everything anew from it',
    async change(log, chance) {
      const batch = pick(await log.batches(), chance)
      await log.replace({ ...batch, body: flip(batch.body, chance) })
      await reseal(log, batch)
    },
  },
  {
    name: 'drop a batch',
    async change(log, chance) {
      await removeBatches(log, '=', pick(await log.batches(), chance).seq)
    },
  },
  {
    name: 'drop a batch and close the gap',
    async change(log, chance) {
      const batch = pick(await log.batches(), chance)
      await removeBatches(log, '=', batch.seq)
      await log.closeGap(batch)
      await reseal(log, batch)
    },
  },
  {
    name: 'swap two batches',
    async change(log, chance) {
      const batches = await log.batches()
      const first = pick(batches, chance)
      const second = pick(
        batches.filter(({ seq }) => seq !== first.seq),
        chance,
      )
      await log.replace({ ...second, seq: first.seq })
      await log.replace({ ...first, seq: second.seq })
    },
  },
  {
    name: 'append a batch with a valid seal',
    async change(log) {
      const last = (await log.batches()).at(-1)
      if (!last) throw new Error('there is nothing to add to')
      const seq = last.seq + 1
      const sealed = chainHash(last.hash, seq, last.day, EMPTY)
      await log.append(last, { ...last, seq, body: EMPTY, hash: sealed })
    },
  },
  {
    name: 'cut off the end',
    async change(log, chance) {
      const batches = await log.batches()
      const { seq } = batches.at(-1 - chance(batches.length)) ?? pick(batches, chance)
      await removeBatches(log, '>=', seq)
      await log.run('delete from audit_checkpoints where last_seq >= ?', seq)
    },
  },
  {
    name: 'cut off the end and move the mark of the end there',
    async change(log, chance) {
      const batches = await log.batches()
      const { seq } = pick(batches.slice(1), chance)
      const kept = batches.findLast((batch) => batch.seq < seq)
      await removeBatches(log, '>=', seq)
      const statement = 'update audit_marks set no = ?, hash = ? where name = ?'
      await log.run(statement, kept?.place ?? 0, kept?.hash ?? '', kept?.end ?? '')
    },
  },
  {
    name: 'cut off the beginning',
    async change(log, chance) {
      const { seq } = pick(await log.batches(), chance)
      await removeBatches(log, '<=', seq)
      await log.run('delete from audit_checkpoints where first_seq <= ?', seq)
    },
  },
  ...CHECKPOINT_FIELDS.map(changeCheckpoint),
  {
    name: 'forge a checkpoint and its hash, without a new signature',
    async change(log, chance) {
      const row = pick(await log.read('select * from audit_checkpoints'), chance)
      const forged = { ...row, root: flip(String(row['root']), chance) }
      const sealed = checkpointHash(checkpointText(toCheckpoint(forged)))
      const statement = 'update audit_checkpoints set root = ?, hash = ? where no = ?'
      await log.run(statement, forged.root, sealed, Number(row['no']))
    },
  },
  {
    name: 'drop the last checkpoint',
    change: (log) =>
      log.run('delete from audit_checkpoints where no = (select max(no) from audit_checkpoints)'),
  },
  {
    name: 'delete a mark',
    async change(log, chance) {
      const marks = await log.read('select name from audit_marks order by name')
      await log.run('delete from audit_marks where name = ?', String(pick(marks, chance)['name']))
    },
  },
  {
    name: 'delete a chain with its checkpoints and its mark',
    async change(log, chance) {
      const { end } = pick(await log.batches(), chance)
      const gone = (await log.batches()).filter((batch) => batch.end === end)
      for (const { seq } of gone) {
        await removeBatches(log, '=', seq)
        await log.run('delete from audit_checkpoints where first_seq <= ? and last_seq >= ?', seq, seq)
      }
      await log.run('delete from audit_marks where name = ?', end)
    },
  },
  {
    name: 'hide a batch from its agent, or index it for another one',
    async change(log, chance) {
      const logged = new Set((await log.batches()).map(({ seq }) => seq))
      const entries: IndexEntry[] = []
      await log.changeIndex((entry) => {
        if (logged.has(entry.seq)) entries.push(entry)
        return entry
      })
      const { agentNo, seq } = pick(entries, chance)
      const other = chance(2) === 0 ? undefined : { agentNo: agentNo + 50, seq }
      await log.changeIndex((entry) => (entry.agentNo === agentNo && entry.seq === seq ? other : entry))
    },
  },
  {
    name: 'empty everything',
    async change(log) {
      await log.changeIndex(() => undefined)
      for (const table of ['audit_batches', 'audit_checkpoints', 'audit_marks'])
        await log.run(`delete from ${table}`)
    },
  },
]
