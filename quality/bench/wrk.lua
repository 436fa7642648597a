-- The request comes from the environment; the result is printed as one line of JSON.
wrk.method = os.getenv('BENCH_METHOD')
wrk.body = os.getenv('BENCH_BODY')
wrk.headers['Authorization'] = os.getenv('BENCH_AUTHORIZATION')
wrk.headers['Content-Type'] = os.getenv('BENCH_CONTENT_TYPE')

done = function(summary, latency)
  local broken = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"errors":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, summary.errors.status, broken,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
  ))
end
