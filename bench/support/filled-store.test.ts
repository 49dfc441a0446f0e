import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import { fillStore, startOn } from './filled-store.ts'

test('the service accepts the keys of agents that a bench has inserted into its store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-filled-'))
  try {
    const keys = await fillStore(folder, 3, 2)
    await using service = await startOn('filled', folder)
    const baseUrl = `http://127.0.0.1:${service.port}`
    for (const apiKey of keys) {
      const { network } = await createClient({ baseUrl, apiKey }).metadata()
      assert.equal(network, 'sandbox')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
