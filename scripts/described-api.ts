import { fileURLToPath } from 'node:url'
import { openTestApp } from '../server/test/support/test-app.ts'

export const OPENAPI_FILE = fileURLToPath(new URL('../docs/openapi.json', import.meta.url))

/** The OpenAPI document as a running service serves it, indented for reading and comparing. */
export async function describedApi(): Promise<string> {
  await using app = await openTestApp()
  const document = await (await fetch(`${app.url}/openapi.json`)).json()
  return `${JSON.stringify(document, null, 2)}\n`
}
