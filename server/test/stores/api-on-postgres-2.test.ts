import { apiTestsOn, PARTS } from './api-tests.ts'

apiTestsOn('postgres', PARTS[1])
