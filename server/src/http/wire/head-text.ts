import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from './response.ts'

// Properties of the response, not a WeakMap: they are read on every request.
declare module 'node:http' {
  interface ServerResponse {
    /** Header lines that are already text; they follow the status line. */
    headText?: string
  }
}

/** What Node calls to write a head: the status line, and the headers that were set one by one. */
type StoresHeader = { _storeHeader(statusLine: string, headers: unknown): void }

/**
 * Node's response, which also takes header lines as text. Node checks and copies headers one by one, which costs as much
 * as the rest of the head together; most of ours are the same for many responses. Date, Connection, Keep-Alive and
 * Content-Length remain Node's, which puts them after these lines.
 */
export function withHeadText(
  Base: typeof ServerResponse<IncomingMessage>,
): typeof ServerResponse<IncomingMessage> {
  const { _storeHeader: storeHeader } = toStoresHeader(Base.prototype)
  // Without it responses would leave without most of their headers, and nobody would notice.
  if (typeof storeHeader !== 'function')
    throw new Error('This version of Node writes heads in another way: see http/wire/head-text.ts.')
  class ResponseWithHeadText extends Base {
    _storeHeader(statusLine: string, headers: unknown): void {
      const { headText } = this
      storeHeader.call(this, headText === undefined ? statusLine : statusLine + headText, headers)
    }
  }
  return ResponseWithHeadText
}

/** Not documented by Node; test/edge/heads.test.ts fails on a version that has it no more. */
const toStoresHeader = (prototype: unknown): StoresHeader => prototype as StoresHeader

/** Whatever could end a line early, or begin another one. */
const BREAKS_LINE = /[^\t\x20-\x7e\x80-\xff]/

export function toHeadText(headers: Headers): string {
  let text = ''
  for (const name in headers) {
    const value = headers[name as keyof Headers] ?? ''
    if (BREAKS_LINE.test(value)) throw new Error(`the header ${name} has a character that no header may have`)
    text += `${name}: ${value}\r\n`
  }
  return text
}
