import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { chainHash } from '#adapters/sql/audit-batch.ts'

/** What somebody may do who can write the database and knows this program, but does not have the key. */
export type Tampering = {
  readonly name: string
  readonly change: (database: DatabaseSync, chance: Chance) => void
}
export type Chance = (below: number) => number

type Row = { seq: number; day: number; body: string; hash: string }

const batches = (database: DatabaseSync): Row[] =>
  database
    .prepare('select seq, day, body, hash from audit_batches order by seq')
    .all()
    .map((row) => ({
      seq: Number(row['seq']),
      day: Number(row['day']),
      body: String(row['body']),
      hash: String(row['hash']),
    }))

function pick<T>(items: readonly T[], chance: Chance): T {
  const item = items[chance(items.length)]
  if (item === undefined) throw new Error('there is nothing to change')
  return item
}

/** Another character of the same kind, so that the text stays what it seems to be. */
function flip(text: string, chance: Chance): string {
  const places = [...text.matchAll(/[0-9a-z]/g)].map(({ index }) => index)
  const at = pick(places, chance)
  return `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`
}

function replace(database: DatabaseSync, { seq, day, body, hash: sealed }: Row): void {
  database
    .prepare('update audit_batches set day = ?, body = ?, hash = ? where seq = ?')
    .run(day, body, sealed, seq)
}

/** Seals everything anew from a batch on, as this program would. */
function reseal(database: DatabaseSync, from: number): void {
  const rows = batches(database)
  let previous = rows.findLast(({ seq }) => seq < from)?.hash ?? '0'.repeat(64)
  for (const row of rows.filter(({ seq }) => seq >= from)) {
    previous = chainHash(previous, row.seq, row.day, row.body)
    replace(database, { ...row, hash: previous })
  }
}

const run = (database: DatabaseSync, statement: string, ...values: (string | number)[]) =>
  database.prepare(statement).run(...values)

const CHECKPOINT_FIELDS = ['first_seq', 'last_seq', 'day', 'at', 'root', 'previous', 'hash', 'signature']

export const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'flip a character of a batch',
    change(database, chance) {
      const row = pick(batches(database), chance)
      replace(database, { ...row, body: flip(row.body, chance) })
    },
  },
  {
    name: 'flip a character of a hash',
    change(database, chance) {
      const row = pick(batches(database), chance)
      replace(database, { ...row, hash: flip(row.hash, chance) })
    },
  },
  {
    name: 'move a batch to another day',
    change(database, chance) {
      const row = pick(batches(database), chance)
      replace(database, { ...row, day: row.day - 1 - chance(100) })
    },
  },
  {
    name: 'change a batch and seal everything anew from it',
    change(database, chance) {
      const row = pick(batches(database), chance)
      replace(database, { ...row, body: flip(row.body, chance) })
      reseal(database, row.seq)
    },
  },
  {
    name: 'drop a batch',
    change(database, chance) {
      const { seq } = pick(batches(database), chance)
      run(database, 'delete from audit_batches where seq = ?', seq)
      run(database, 'delete from audit_agents where seq = ?', seq)
    },
  },
  {
    name: 'drop a batch and close the gap',
    change(database, chance) {
      const { seq } = pick(batches(database), chance)
      for (const table of ['audit_batches', 'audit_agents']) {
        run(database, `delete from ${table} where seq = ?`, seq)
        run(database, `update ${table} set seq = -(seq - 1) where seq > ?`, seq)
        run(database, `update ${table} set seq = -seq where seq < 0`)
      }
      reseal(database, seq)
    },
  },
  {
    name: 'swap two batches',
    change(database, chance) {
      const rows = batches(database)
      const first = pick(rows, chance)
      const second = pick(
        rows.filter(({ seq }) => seq !== first.seq),
        chance,
      )
      replace(database, { ...second, seq: first.seq })
      replace(database, { ...first, seq: second.seq })
    },
  },
  {
    name: 'insert a batch at the end, well sealed',
    change(database) {
      const last = batches(database).at(-1)
      const seq = (last?.seq ?? 0) + 1
      const sealed = chainHash(last?.hash ?? '', seq, last?.day ?? 0, '{"i":[],"o":[],"r":[]}')
      run(
        database,
        'insert into audit_batches values (?, ?, ?, ?)',
        seq,
        last?.day ?? 0,
        '{"i":[],"o":[],"r":[]}',
        sealed,
      )
    },
  },
  {
    name: 'cut off the end',
    change(database, chance) {
      const rows = batches(database)
      const { seq } = rows.at(-1 - chance(rows.length)) ?? pick(rows, chance)
      for (const table of ['audit_batches', 'audit_agents'])
        run(database, `delete from ${table} where seq >= ?`, seq)
      run(database, 'delete from audit_checkpoints where last_seq >= ?', seq)
    },
  },
  {
    name: 'cut off the end and say that it ends there',
    change(database, chance) {
      const rows = batches(database)
      const { seq } = pick(rows.slice(1), chance)
      const kept = rows.findLast((row) => row.seq < seq)
      for (const table of ['audit_batches', 'audit_agents'])
        run(database, `delete from ${table} where seq >= ?`, seq)
      run(
        database,
        "update audit_marks set no = ?, hash = ? where name = 'end'",
        kept?.seq ?? 0,
        kept?.hash ?? '',
      )
    },
  },
  {
    name: 'cut off the beginning',
    change(database, chance) {
      const { seq } = pick(batches(database), chance)
      for (const table of ['audit_batches', 'audit_agents'])
        run(database, `delete from ${table} where seq <= ?`, seq)
      run(database, 'delete from audit_checkpoints where first_seq <= ?', seq)
    },
  },
  {
    name: 'change a checkpoint',
    change(database, chance) {
      const field = pick(CHECKPOINT_FIELDS, chance)
      const rows = database.prepare(`select no, ${field} as value from audit_checkpoints`).all()
      const row = pick(rows, chance)
      const { value } = row
      const changed = typeof value === 'string' ? flip(value, chance) : Number(value) + 1
      run(database, `update audit_checkpoints set ${field} = ? where no = ?`, changed, Number(row['no']))
    },
  },
  {
    name: 'forge a checkpoint, hashes and all but the signature',
    change(database, chance) {
      const rows = database.prepare('select * from audit_checkpoints').all()
      const row = pick(rows, chance)
      const root = flip(String(row['root']), chance)
      const text = JSON.stringify([
        row['no'],
        row['first_seq'],
        row['last_seq'],
        row['day'],
        row['at'],
        root,
        row['previous'],
      ])
      const statement = 'update audit_checkpoints set root = ?, hash = ? where no = ?'
      run(database, statement, root, hash('sha256', text, 'hex'), Number(row['no']))
    },
  },
  {
    name: 'drop the last checkpoint',
    change(database) {
      run(database, 'delete from audit_checkpoints where no = (select max(no) from audit_checkpoints)')
    },
  },
  {
    name: 'forget a mark',
    change(database, chance) {
      const name = pick(['end', 'beginning', 'checkpoint'], chance)
      run(database, 'delete from audit_marks where name = ?', name)
    },
  },
  {
    name: "hide an agent's batch, or show it another one's",
    change(database, chance) {
      const row = pick(database.prepare('select agent_no, seq from audit_agents').all(), chance)
      const change =
        chance(2) === 0 ? 'delete from audit_agents' : 'update audit_agents set agent_no = agent_no + 50'
      run(database, `${change} where agent_no = ? and seq = ?`, Number(row['agent_no']), Number(row['seq']))
    },
  },
  {
    name: 'empty everything',
    change(database) {
      for (const table of ['audit_batches', 'audit_agents', 'audit_checkpoints', 'audit_marks'])
        run(database, `delete from ${table}`)
    },
  },
]
