export const toIso = (at: number): string => new Date(at).toISOString()
