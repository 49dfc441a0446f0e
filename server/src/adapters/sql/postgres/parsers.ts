import pg from 'pg'

const INT8 = 20

/** Stored int8 values are safe JavaScript numbers; ticket numbers, the largest, are so for 2^39 batches. */
export function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)
}
