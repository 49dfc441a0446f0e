import { parentPort } from 'node:worker_threads'
import { verifyStore } from './verify-store.ts'

parentPort?.on('message', async (store) => parentPort?.postMessage(await verifyStore(store)))
