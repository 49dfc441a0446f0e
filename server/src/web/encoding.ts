import type { Bodies } from './prepare-files.ts'

/** The smallest encoding that the client accepts. A client that sends no header gets the plain bytes. */
export function pickEncoding(acceptEncoding: string | undefined): keyof Bodies {
  const accepted = new Map<string, boolean>()
  for (const item of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    accepted.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  const accepts = (name: string) => accepted.get(name) ?? accepted.get('*') ?? false
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}
