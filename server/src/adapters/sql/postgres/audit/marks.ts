import { EMPTY_MARK, type Mark, markText } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import type { Database } from '../../schema.ts'

/** Reads and writes marks for all code except admission, which has its own prepared statements. */
export function postgresMarks(db: Database, seal: AuditSeal) {
  return {
    /** `isGenuine`: the MAC matches, or the mark was never written. */
    async read(name: string): Promise<Mark & { readonly isGenuine: boolean }> {
      const row = await db
        .selectFrom('audit_marks')
        .select(['no', 'hash', 'mac'])
        .where('name', '=', name)
        .executeTakeFirst()
      if (!row) return { ...EMPTY_MARK, isGenuine: true }
      const { no, hash, mac } = row
      return { no, hash, isGenuine: seal.isMac(markText(name, { no, hash }), mac) }
    },
    async write(name: string, { no, hash }: Mark): Promise<void> {
      const mark = { no, hash, mac: seal.mac(markText(name, { no, hash })) }
      await db
        .insertInto('audit_marks')
        .values({ name, ...mark })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(mark))
        .execute()
    },
    async remove(names: readonly string[]): Promise<void> {
      if (names.length > 0) await db.deleteFrom('audit_marks').where('name', 'in', names).execute()
    },
  }
}
