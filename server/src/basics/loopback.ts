const LOOPBACK = /^(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[?::1\]?)$/i

/** Whether the host name of a URL, with or without IPv6 brackets, always means the local machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)
