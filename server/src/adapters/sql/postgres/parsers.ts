import pg from 'pg'

const INT8 = 20

/** Numbers of ours fit into a JavaScript number: the largest are ticket numbers, checked where they are made. */
export function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)
}
