import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { COMMANDS } from '../src/run-command-line.ts'

const readJson = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))

test('server.json describes the command line as the MCP registry takes it', () => {
  const { $schema, name, description, version, packages } = readJson('server.json')
  const cli = readJson('cli/package.json')
  assert.match(
    $schema,
    /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d{2}-\d{2}\/server\.schema\.json$/,
  )
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert(description.length <= 100, `${description.length} characters are more than the registry takes`)
  const [{ registryType, identifier, transport, packageArguments, environmentVariables, ...packed }] =
    packages
  assert.deepEqual([registryType, identifier, transport.type], ['npm', cli.name, 'stdio'])
  assert.deepEqual([version, packed.version], [cli.version, cli.version])
  const [{ value }] = packageArguments
  assert(COMMANDS.some(({ words }) => words === value))
  const secret = environmentVariables.filter(({ isSecret }: { readonly isSecret?: boolean }) => isSecret)
  assert.deepEqual(
    secret.map(({ name }: { readonly name: string }) => name),
    ['STAKEWRIGHT_API_KEY'],
  )
})
