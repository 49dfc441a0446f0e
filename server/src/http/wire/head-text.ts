import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from './response.ts'

// Properties of the response, not a WeakMap: they are read on every request.
declare module 'node:http' {
  interface ServerResponse {
    /** Header lines as text; they are written after the status line. */
    headText?: string
  }
}

/** Node's internal method that writes the status line and the headers set one by one. */
type StoresHeader = { _storeHeader(statusLine: string, headers: unknown): void }

/**
 * Extends Node's response by header lines given as text. Node checks and copies headers one by one, which costs as much
 * as the rest of the head together, although most headers are the same for many responses. Node still writes Date,
 * Connection, Keep-Alive and Content-Length, after these lines.
 */
export function withHeadText(
  Base: typeof ServerResponse<IncomingMessage>,
): typeof ServerResponse<IncomingMessage> {
  const { _storeHeader: storeHeader } = toStoresHeader(Base.prototype)
  // Without the method responses would silently lack most of their headers.
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

/** Undocumented in Node; test/edge/heads.test.ts fails on a version without it. */
const toStoresHeader = (prototype: unknown): StoresHeader => prototype as StoresHeader

/** Characters that must not be in a header, above all CR and LF, which would allow header injection. */
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
