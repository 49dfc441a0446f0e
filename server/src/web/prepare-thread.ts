import { parentPort } from 'node:worker_threads'
import { prepareFiles } from './prepare-files.ts'

parentPort?.postMessage(prepareFiles())
