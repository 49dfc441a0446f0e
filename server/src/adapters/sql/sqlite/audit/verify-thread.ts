import { parentPort, workerData } from 'node:worker_threads'
import { verifyAudit } from './verify.ts'

parentPort?.postMessage(await verifyAudit(workerData.folder, workerData.anchors))
