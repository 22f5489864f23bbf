# footfall in a container:  docker build -t footfall . && docker run --rm -v "$PWD:/data" footfall soils
FROM debian:bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    build-essential ca-certificates cmake ninja-build git python3 python3-venv nodejs npm sudo
COPY . /footfall
RUN cd /footfall && make package

FROM debian:bookworm-slim
COPY --from=build /footfall/dist/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["footfall"]
