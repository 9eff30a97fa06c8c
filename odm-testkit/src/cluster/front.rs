//! The front accepts clients on a port. It has its own thread and runtime, so that it does not depend on the runtime of
//! a test.

mod client;

use std::{
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use tokio::{net, runtime, sync};

use crate::{
    Error,
    cluster::{
        connection::Connection,
        link::Ports,
        state::{Shared, policy::Policy},
    },
};

/// A running front. It stops when this value is dropped.
#[derive(Debug)]
pub(super) struct Front {
    port: u16,
    stop: Option<sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Front {
    pub(super) fn start(ports: Ports, policy: Policy) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listener = listener.map_err(Error::io("listen on a port"))?;
        let port = listener
            .local_addr()
            .map_err(Error::io("listen on a port"))?
            .port();
        listener
            .set_nonblocking(true)
            .map_err(Error::io("listen on a port"))?;
        let shared = Arc::new(Shared::new(ports, policy));
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("odm-front")
            .enable_all()
            .build()
            .map_err(Error::io("make a runtime"))?;
        let (stop, stopped) = sync::oneshot::channel();
        let run = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stopped => {}
                }
            });
            runtime.shutdown_timeout(Duration::from_millis(200));
        };
        let thread = thread::Builder::new().name("odm-front".into()).spawn(run);
        let thread = thread.map_err(Error::io("start a thread"))?;
        Ok(Self {
            port,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = net::TcpListener::from_std(listener) else {
        return;
    };
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // This fails if too many files are open, for example.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let connection = Connection::new(Arc::clone(&shared));
        tokio::spawn(async move {
            // An error is ignored, because the client notices that the connection is closed.
            let _ = connection.serve(stream).await;
        });
    }
}
