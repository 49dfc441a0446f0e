import { parentPort, workerData } from 'node:worker_threads'
import { verifyStore } from './verify-store.ts'

parentPort?.postMessage(await verifyStore(workerData))
